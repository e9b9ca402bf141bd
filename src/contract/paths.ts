/** The addresses of all pages. Those of calls are declared with the calls. */
export const PAGES = {
  home: '/',
  premium: '/premium',
  blog: '/blog',
  /** Every call, for those who write programs. */
  developers: '/developers',
  /** The languages of this server, and how well each is read. */
  languages: '/languages',
  terms: '/terms',
  privacy: '/privacy',
  refund: '/refund-policy',
  account: '/account',
  /** A subscriber's saved texts. */
  texts: '/account/texts',
  /** Where mailed links end up. The start page hands them on, with the token behind its `#reset=`, `#verify=` or `#claim=`. */
  resetPassword: '/reset-password',
  verifyEmail: '/verify-email',
  claim: '/claim',
  /** Replaces a sign-in provider where none is configured, on its owner's machine only. */
  demoSignIn: '/demo-sign-in',
  /** With its `token` in the query. */
  unsubscribe: '/unsubscribe',
} as const;

/** Pages whose content is the same for everybody, and which search engines should know. */
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

/** Files for programs: feed readers and search engines. */
export const FILES = {
  feed: '/feed.xml',
  sitemap: '/sitemap.xml',
  robots: '/robots.txt',
  /** The security contact and policy, by RFC 9116. */
  security: '/.well-known/security.txt',
  securityPolicy: '/.well-known/security-policy.txt',
} as const;

/** Addresses that work offline, and where shared pictures arrive. */
export const INSTALLED = {
  worker: '/sw.js',
  /** Takes a form from the system's share sheet; the worker answers it, and no picture leaves the device. */
  share: '/share',
} as const;

/** The prefix of all calls' addresses, and of nothing else. */
export const API_PREFIX = '/api/';

export const savedTextPage = (id: string): string => `${PAGES.texts}/${encodeURIComponent(id)}`;

export const articlePage = (slug: string): string => `${PAGES.blog}/${encodeURIComponent(slug)}`;
