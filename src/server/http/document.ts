import { PAGE_ELEMENTS, type PageResponse } from '#contract/page';
import { PAGES } from '#contract/paths';
import { BRAND } from '#contract/product';

export interface PageAssets {
  script: string;
  /** Source of the inline script that runs first. */
  earlyScript: string;
  /** The whole style sheet, inlined so that the first paint needs no other file. */
  css: string;
  /** Static imports of the script. */
  modules: readonly string[];
  fonts: readonly string[];
}

export function pageDocument(page: PageResponse, assets: PageAssets): string {
  const head = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    ...assets.fonts.map(
      (href) => `<link rel="preload" as="font" type="font/woff2" href="${escapeHtml(href)}" crossorigin>`,
    ),
    assets.css && `<style>${assets.css}</style>`,
    // The page is readable without scripts, so the inline script loads them after the first paint.
    `<script type="application/json" id="${PAGE_ELEMENTS.scripts}">${JSON.stringify([assets.script, ...assets.modules])}</script>`,
    page.head,
    `<script>${assets.earlyScript}</script>`,
  ].join('\n');
  return `<!doctype html>
<html lang="en">
<head>
${head}
</head>
<body>
<div id="${PAGE_ELEMENTS.root}">${page.body}</div>
<script type="application/json" id="${PAGE_ELEMENTS.state}">${page.state}</script>
</body>
</html>
`;
}

/** Fallback document for a failed rendering, without other files. */
export function errorDocument(status: number, message: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${status} – ${BRAND.name}</title>
</head>
<body>
<h1>${BRAND.name}</h1>
<p>${escapeHtml(message)}</p>
<p><a href="${PAGES.home}">Back to the start page</a></p>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
