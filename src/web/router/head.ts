import type { Site } from '#contract/page';
import { FILES, PAGES } from '#contract/paths';
import { BRAND } from '#contract/product';
import type { JsonLd, PageMeta } from './page.ts';

const SOCIAL_IMAGE = { path: '/social/site.png', width: '1200', height: '630' } as const;

/** The page's title, followed by the product's name unless the title has it already. */
export function fullTitle(meta: PageMeta): string {
  return meta.title.includes(BRAND.name) ? meta.title : `${meta.title} – ${BRAND.name}`;
}

function canonicalUrl(meta: PageMeta, site: Site): string | null {
  return meta.path === undefined ? null : `${site.publicUrl}${meta.path}`;
}

/** Escapes text for HTML attributes and text nodes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** JSON for a script element: nothing in it can close the element or open a comment. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}

/** The markup of the head, for the server. A page without a canonical URL must not be indexed. */
export function renderHead(meta: PageMeta, site: Site): string {
  const title = escapeHtml(fullTitle(meta));
  const description = escapeHtml(meta.description);
  const canonical = canonicalUrl(meta, site);
  const property = (name: string, content: string) => `<meta property="og:${name}" content="${content}">`;
  return [
    `<title>${title}</title>`,
    `<meta name="description" content="${description}">`,
    canonical === null
      ? '<meta name="robots" content="noindex">'
      : `<link rel="canonical" href="${escapeHtml(canonical)}">`,
    property('site_name', escapeHtml(BRAND.name)),
    property('type', meta.type ?? 'website'),
    property('title', title),
    property('description', description),
    canonical === null ? '' : property('url', escapeHtml(canonical)),
    property('image', escapeHtml(`${site.publicUrl}${meta.image ?? SOCIAL_IMAGE.path}`)),
    property('image:width', SOCIAL_IMAGE.width),
    property('image:height', SOCIAL_IMAGE.height),
    '<meta name="twitter:card" content="summary_large_image">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="theme-color" content="#f4f0e6" media="(prefers-color-scheme: light)">',
    '<meta name="theme-color" content="#10161e" media="(prefers-color-scheme: dark)">',
    '<link rel="icon" href="/icon.svg" type="image/svg+xml">',
    '<link rel="icon" href="/icon-32.png" sizes="32x32" type="image/png">',
    '<link rel="apple-touch-icon" href="/icon-180.png">',
    '<link rel="manifest" href="/site.webmanifest">',
    `<link rel="alternate" type="application/atom+xml" href="${FILES.feed}" title="${BRAND.name} blog">`,
    ...(meta.jsonLd ?? []).map(
      (node) =>
        `<script type="application/ld+json">${scriptJson({ '@context': 'https://schema.org', ...node })}</script>`,
    ),
  ]
    .filter(Boolean)
    .join('\n');
}

/** Updates title, description, canonical URL and robots after a navigation. */
export function applyHead(meta: PageMeta, site: Site): void {
  document.title = fullTitle(meta);
  const canonical = canonicalUrl(meta, site);
  setElement('meta[name="description"]', 'meta', { name: 'description', content: meta.description });
  setElement('link[rel="canonical"]', 'link', canonical && { rel: 'canonical', href: canonical });
  setElement('meta[name="robots"]', 'meta', canonical === null && { name: 'robots', content: 'noindex' });
}

function setElement(
  selector: string,
  tag: 'meta' | 'link',
  attributes: Record<string, string> | false | null | '',
) {
  const existing = document.head.querySelector(selector);
  if (!attributes) {
    existing?.remove();
    return;
  }
  const element = existing ?? document.head.appendChild(document.createElement(tag));
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}

export function organization(site: Site): JsonLd {
  return {
    '@type': 'Organization',
    name: BRAND.name,
    url: `${site.publicUrl}${PAGES.home}`,
    logo: `${site.publicUrl}/icon-512.png`,
    contactPoint: { '@type': 'ContactPoint', contactType: 'customer support', email: site.supportEmail },
  };
}

/** @param steps the pages after the home page, down to the current page */
export function breadcrumbs(site: Site, steps: ReadonlyArray<{ name: string; path: string }>): JsonLd {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: [{ name: 'Home', path: PAGES.home }, ...steps].map((step, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name: step.name,
      item: `${site.publicUrl}${step.path}`,
    })),
  };
}
