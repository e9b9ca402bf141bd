/** Paths of all pages. Those of calls are declared with the calls. */
export const PAGES = {
  home: '/',
  premium: '/premium',
  blog: '/blog',
  /** API documentation. */
  developers: '/developers',
  /** Languages of this server with their accuracy. */
  languages: '/languages',
  terms: '/terms',
  privacy: '/privacy',
  refund: '/refund-policy',
  account: '/account',
  /** A subscriber's saved texts. */
  texts: '/account/texts',
  /** Targets of mailed links. The start page redirects to them, with the token of `#reset=`, `#verify=` or `#claim=`. */
  resetPassword: '/reset-password',
  verifyEmail: '/verify-email',
  claim: '/claim',
  /** Demo sign-in provider, on localhost only. */
  demoSignIn: '/demo-sign-in',
  /** With its `token` in the query. */
  unsubscribe: '/unsubscribe',
} as const;

/** Public pages for the sitemap. */
export const PUBLIC_PAGES = [
  PAGES.home,
  PAGES.premium,
  PAGES.blog,
  PAGES.developers,
  PAGES.languages,
  PAGES.terms,
  PAGES.privacy,
  PAGES.refund,
] as const;

/** Files for feed readers and search engines. */
export const FILES = {
  feed: '/feed.xml',
  sitemap: '/sitemap.xml',
  robots: '/robots.txt',
  /** The security contact and policy, by RFC 9116. */
  security: '/.well-known/security.txt',
  securityPolicy: '/.well-known/security-policy.txt',
} as const;

/** Offline pages and the share target. */
export const INSTALLED = {
  worker: '/sw.js',
  /** Target of the system's share sheet. The service worker handles it, so no image leaves the device. */
  share: '/share',
} as const;

/** Path prefix of exactly the API calls. */
export const API_PREFIX = '/api/';

export const savedTextPage = (id: string): string => `${PAGES.texts}/${encodeURIComponent(id)}`;

export const articlePage = (slug: string): string => `${PAGES.blog}/${encodeURIComponent(slug)}`;
