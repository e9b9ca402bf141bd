/** Every address of the product. Pages are opened in a browser; API paths answer JSON only. */
export const PAGES = {
  home: '/',
  premium: '/premium',
  blog: '/blog',
  terms: '/terms',
  privacy: '/privacy',
  refund: '/refund-policy',
} as const;

export const API = {
  prefix: '/api/',
  user: '/api/user',
  usage: '/api/usage',
  extractText: '/api/extract-text',
  preview: '/api/preview',
} as const;
