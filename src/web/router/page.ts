import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { PageData, Site } from '#contract/page';
import type { StaticPart } from '../hydration/lazy.tsx';

/** A node of schema.org's vocabulary, without its `@context`. */
export type JsonLd = { '@type': string } & Record<string, unknown>;

/** A page's entries in the document's head. */
export interface PageMeta {
  title: string;
  description: string;
  /** The path of the canonical URL, starting with a slash. Omitted if the page has no canonical URL. */
  path?: string;
  /** Open Graph's type; `website` unless it is an article. */
  type?: 'website' | 'article';
  /** Path of the Open Graph image, 1200 by 630 pixels. Omitted: the site's default. */
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

/** The export `page` of each file in `pages`. */
export interface Page {
  Component: ComponentType;
  meta: (context: MetaContext) => PageMeta;
  /**
   * Fills the query cache before the server renders the page. @returns the HTTP status if it differs from `status`. In the
   * browser, the page's queries fetch the data after a navigation, and a skeleton is shown meanwhile.
   */
  load?: (context: LoadContext) => Promise<number | undefined>;
  /** The parts that are rendered without scripts in the browser. */
  parts?: ReadonlyArray<Pick<StaticPart, 'load'>>;
  /** Whether loaded data is rendered only by static parts, so that it is not serialized for hydration. */
  dataStaysInMarkup?: boolean;
  /** The loaded data is private: no cache may store the page. */
  isPrivate?: boolean;
  /** HTTP status of the page; 200 by default. */
  status?: number;
}

const FAILED: PageMeta = {
  title: 'Something went wrong',
  description: 'This page could not be shown.',
};

export function metaOf(
  { page, params }: { page: Page | null; params: Readonly<Record<string, string>> },
  site: Site,
  queryClient: QueryClient,
): PageMeta {
  return page?.meta({ site, params, queryClient }) ?? FAILED;
}
