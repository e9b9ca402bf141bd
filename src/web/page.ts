import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { UIMatch } from 'react-router';
import type { PageData, Site } from '#contract/page';

/** A node of schema.org's vocabulary, without its `@context`. */
export type JsonLd = { '@type': string } & Record<string, unknown>;

/** What a page says about itself in the document's head. */
export interface PageMeta {
  title: string;
  description: string;
  /** The canonical address's path, starting with a slash. Left out where a page has none of its own. */
  path?: string;
  /** Open Graph's type; `website` unless it is an article. */
  type?: 'website' | 'article';
  /** Path of the picture that stands for the page where it is shared, 1200 by 630 pixels; the site's own if left out. */
  image?: string;
  jsonLd?: readonly JsonLd[];
}

export interface LoadContext {
  params: Readonly<Record<string, string | undefined>>;
  queryClient: QueryClient;
  data: PageData;
  site: Site;
}

export interface MetaContext {
  site: Site;
  params: Readonly<Record<string, string | undefined>>;
  queryClient: QueryClient;
}

/** What a file in `pages` exports as `page`. */
export interface Page {
  Component: ComponentType;
  meta: (context: MetaContext) => PageMeta;
  /**
   * Fills the query cache before the server renders the page, and may change its status. In the browser the page's own
   * queries do that after a navigation, and a skeleton stands in the meantime.
   */
  load?: (context: LoadContext) => Promise<number | undefined>;
  ErrorBoundary?: ComponentType;
  /** HTTP status of the page itself; 200 unless said. */
  status?: number;
}

/** A page as its route holds it, with the source file it came from. */
export interface PageHandle extends Page {
  module: string;
}

const FAILED: PageMeta = {
  title: 'Something went wrong',
  description: 'This page could not be shown.',
};

type Match = Pick<UIMatch, 'handle' | 'params'>;

/** The page among the matched routes. */
export function matchedPage(matches: readonly Match[]): PageHandle | null {
  for (const { handle } of matches) if (isPageHandle(handle)) return handle;
  return null;
}

export function metaOf(matches: readonly Match[], site: Site, queryClient: QueryClient): PageMeta {
  const params = matches.at(-1)?.params ?? {};
  return matchedPage(matches)?.meta({ site, params, queryClient }) ?? FAILED;
}

function isPageHandle(handle: unknown): handle is PageHandle {
  return typeof handle === 'object' && handle !== null && 'meta' in handle && 'module' in handle;
}
