import { type DehydratedState, dehydrate, type Query } from '@tanstack/react-query';
import { renderToString } from 'react-dom/server';
import type { RenderPage } from '#contract/page';
import { EARLY_SCRIPT } from './hydration/early-script.ts';
import { renderHead, scriptJson } from './router/head.ts';
import { metaOf } from './router/page.ts';
import { matchRoute, staticRouter } from './router/router.tsx';
import { ROUTES } from './routes.tsx';
import { createQueryClient, paymentQuery, usageQuery, userQuery } from './session/queries.ts';
import { Application } from './shell/application.tsx';

/** The source of the inline script of every document. */
export const earlyScript = EARLY_SCRIPT;

/** Renders one page for one visitor, with all data that hydration needs, so that it makes no API calls. */
export const render: RenderPage = async ({ url, site, data }) => {
  const queryClient = createQueryClient();
  const { pathname, search } = new URL(url, site.publicUrl);
  const { route, params } = matchRoute(ROUTES, pathname);

  // `prefetchQuery` does not throw. After a failure the browser fetches again and shows an error message.
  const [page] = await Promise.all([
    route.open(),
    queryClient.prefetchQuery({ ...userQuery, queryFn: () => data.user() }),
    queryClient.prefetchQuery({ ...usageQuery, queryFn: () => data.usage(), retry: false }),
    queryClient.prefetchQuery({ ...paymentQuery, queryFn: () => data.payment() }),
  ]);
  const sharedQueries = new Set(queryClient.getQueryCache().getAll());
  const [loadedStatus] = await Promise.all([
    page.load?.({ params, queryClient, data, site }),
    ...(page.parts ?? []).map((part) => part.load()),
  ]);
  const status = loadedStatus ?? page.status ?? 200;
  const meta = metaOf({ page, params }, site, queryClient);
  const isCanonical = status === 200 && meta.path === pathname;
  // Rendered without the query, so that nothing can be injected by it.
  const location = { pathname, search: isCanonical ? '' : search, hash: '', state: null };
  const body = renderToString(
    <Application
      site={site}
      queryClient={queryClient}
      router={staticRouter({ location, route, params, page })}
    />,
  );
  // Failed queries are serialized too, because the browser must not fetch them again.
  const isSerialized = (query: Query) =>
    query.state.status === 'error' ||
    (query.state.status === 'success' && (!page.dataStaysInMarkup || sharedQueries.has(query)));
  return {
    status,
    modules: [route.module],
    isCanonical,
    isPrivate: page.isPrivate ?? false,
    head: renderHead(meta, site),
    body,
    state: scriptJson({
      site,
      queries: withTimestamp(
        Date.parse(site.now),
        dehydrate(queryClient, { shouldDehydrateQuery: isSerialized }),
      ),
    }),
  };
};

/** Replaces the render time in the state, so that the same data renders the same bytes. */
function withTimestamp(moment: number, { mutations, queries }: DehydratedState): DehydratedState {
  return {
    mutations,
    queries: queries.map((query) => ({
      ...query,
      dehydratedAt: moment,
      state: { ...query.state, dataUpdatedAt: query.state.data === undefined ? 0 : moment },
    })),
  };
}
