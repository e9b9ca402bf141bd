/** Every address of the product. Pages are opened in a browser; API paths answer JSON only. */
export const PAGES = {
  home: '/',
  premium: '/premium',
  blog: '/blog',
  /** Every call, for those who write programs. */
  developers: '/developers',
  terms: '/terms',
  privacy: '/privacy',
  refund: '/refund-policy',
  account: '/account',
  /** Where mailed links end up. The start page hands them on, with the token behind its `#reset=`, `#verify=` or `#claim=`. */
  resetPassword: '/reset-password',
  verifyEmail: '/verify-email',
  claim: '/claim',
  /** Stands in for a sign-in provider where none is set up, on its owner's machine only. */
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
  PAGES.terms,
  PAGES.privacy,
  PAGES.refund,
] as const;

/** Files for programs: feed readers and search engines. */
export const FILES = {
  feed: '/feed.xml',
  sitemap: '/sitemap.xml',
  robots: '/robots.txt',
  /** Whom to tell of a hole, as RFC 9116 has it, and how that is dealt with. */
  security: '/.well-known/security.txt',
  securityPolicy: '/.well-known/security-policy.txt',
} as const;

export const API = {
  prefix: '/api/',
  user: '/api/user',
  usage: '/api/usage',
  extractText: '/api/extract-text',
  preview: '/api/preview',
  languages: '/api/languages',
  /** With the id that the upload carries in place of `:id`. */
  extractionEvents: '/api/extractions/:id/events',
  articles: '/api/blog/articles',

  register: '/api/register',
  /** Lets go of the registration that waits in this browser. */
  dropRegistration: '/api/registration/drop',
  login: '/api/login',
  loginSecondFactor: '/api/login/second-factor',
  logout: '/api/logout',
  /** Opened in the browser, with the provider's name in place of `:provider`. */
  signIn: '/api/auth/:provider',
  demoSignIn: '/api/demo-sign-in',
  forgotPassword: '/api/password/forgot',
  resetPassword: '/api/password/reset',
  account: '/api/account',
  verifyEmail: '/api/account/verify',
  resendVerification: '/api/account/verify/resend',
  changePassword: '/api/account/password',
  changeEmail: '/api/account/email',
  deleteAccount: '/api/account/delete',
  accountData: '/api/account/data',
  sessions: '/api/account/sessions',
  /** Ends every session but the one that asks. */
  endSessions: '/api/account/sessions/end',
  identities: '/api/account/identities',
  secondFactor: '/api/account/second-factor',
  startSecondFactor: '/api/account/second-factor/start',
  stopSecondFactor: '/api/account/second-factor/off',
  recoveryCodes: '/api/account/second-factor/recovery-codes',

  payment: '/api/payment',
  pay: '/api/payment/paypal',
  paypalWebhook: '/api/payment/paypal/webhook',
  claim: '/api/payment/claim',
  claimPreview: '/api/payment/claim/preview',
  subscription: '/api/subscription',
  cancelSubscription: '/api/subscription/cancel',

  texts: '/api/texts',
  text: '/api/texts/:id',
  exportTexts: '/api/texts/export',

  premiumInterest: '/api/premium-interest',
  unsubscribe: '/api/premium-interest/unsubscribe',

  /** Where browsers tell of what the content policy stopped. */
  contentPolicyReports: '/api/content-policy-reports',
} as const;

/** Where the progress of one extraction is told. */
export const extractionEventsApi = (id: string): string =>
  API.extractionEvents.replace(':id', encodeURIComponent(id));

/** Where one article is read. */
export const articlePage = (slug: string): string => `${PAGES.blog}/${encodeURIComponent(slug)}`;

/** Where one article is fetched. */
export const articleApi = (slug: string): string => `${API.articles}/${encodeURIComponent(slug)}`;
