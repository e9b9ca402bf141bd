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
  /** With the id that the upload carries in place of `:id`. */
  extractionEvents: '/api/extractions/:id/events',
  articles: '/api/blog/articles',
} as const;

/** Where the progress of one extraction is told. */
export const extractionEventsApi = (id: string): string =>
  API.extractionEvents.replace(':id', encodeURIComponent(id));

/** Where one article is read. */
export const articlePage = (slug: string): string => `${PAGES.blog}/${encodeURIComponent(slug)}`;

/** Where one article is fetched. */
export const articleApi = (slug: string): string => `${API.articles}/${encodeURIComponent(slug)}`;
