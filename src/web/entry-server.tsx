import { type DehydratedState, dehydrate, type Query, QueryClientProvider } from '@tanstack/react-query';
import { renderToString } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router';
import type { RenderPage } from '#contract/page';
import { EARLY_SCRIPT } from './early-deeds.ts';
import { renderHead, scriptJson } from './head.ts';
import { matchedPage, metaOf } from './page.ts';
import { createQueryClient, paymentQuery, usageQuery, userQuery } from './query.ts';
import { createRoutes } from './routes.tsx';
import { SiteProvider } from './site.tsx';

/** The source of the script that stands in every document. */
export const earlyScript = EARLY_SCRIPT;

/** Renders one page for one visitor, with everything the browser needs to take over without a call. */
export const render: RenderPage = async ({ url, site, data }) => {
  const queryClient = createQueryClient();
  const handler = createStaticHandler(createRoutes());

  // A failure here is left to the browser, which asks again and shows what the visitor can do.
  const [context] = await Promise.all([
    handler.query(new Request(`${site.publicUrl}${url}`)),
    queryClient.prefetchQuery({ ...userQuery, queryFn: () => data.user() }),
    queryClient.prefetchQuery({ ...usageQuery, queryFn: () => data.usage(), retry: false }),
    queryClient.prefetchQuery({ ...paymentQuery, queryFn: () => data.payment() }),
  ]);
  if (context instanceof Response) {
    const location = context.headers.get('location') ?? '/';
    return { status: context.status, location, isCanonical: false, head: '', body: '', state: '' };
  }

  const matches = context.matches.map(({ route, params }) => ({ handle: route.handle, params }));
  const page = matchedPage(matches);
  const loaded = await page?.load?.({ params: matches.at(-1)?.params ?? {}, queryClient, data, site });
  const status = context.statusCode === 200 ? (loaded ?? page?.status ?? 200) : context.statusCode;
  const meta = metaOf(matches, site, queryClient);
  const isCanonical = status === 200 && meta.path === context.location.pathname;
  // Nobody can add to such a page: it is rendered without the query.
  if (isCanonical) context.location = { ...context.location, search: '' };
  const body = renderToString(
    <SiteProvider site={site}>
      <QueryClientProvider client={queryClient}>
        <StaticRouterProvider
          router={createStaticRouter(handler.dataRoutes, context)}
          context={context}
          hydrate={false}
        />
      </QueryClientProvider>
    </SiteProvider>,
  );
  const { loaderData, errors } = context;
  return {
    status,
    modules: page ? [page.module] : [],
    isCanonical,
    head: renderHead(meta, site),
    body,
    state: scriptJson({
      site,
      queries: atMoment(Date.parse(site.now), dehydrate(queryClient, { shouldDehydrateQuery: isSettled })),
      router: { loaderData, errors },
    }),
  };
};

/** What was not found is known as well, and must not be asked for again. */
const isSettled = (query: Query) => query.state.status !== 'pending';

/** Without the milliseconds in which it was rendered, a page that is given the same is the same. */
function atMoment(moment: number, { mutations, queries }: DehydratedState): DehydratedState {
  return {
    mutations,
    queries: queries.map((query) => ({
      ...query,
      dehydratedAt: moment,
      state: { ...query.state, dataUpdatedAt: query.state.data === undefined ? 0 : moment },
    })),
  };
}
