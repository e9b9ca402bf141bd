import { dehydrate, type Query, QueryClientProvider } from '@tanstack/react-query';
import { renderToString } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router';
import type { RenderPage } from '#contract/page';
import { renderHead, scriptJson } from './head.ts';
import { matchedPage, metaOf } from './page.ts';
import { createQueryClient, paymentQuery, usageQuery, userQuery } from './query.ts';
import { createRoutes } from './routes.tsx';
import { SiteProvider } from './site.tsx';

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
    return { status: context.status, location, head: '', body: '', state: '' };
  }

  const matches = context.matches.map(({ route, params }) => ({ handle: route.handle, params }));
  const page = matchedPage(matches);
  const status = await page?.load?.({ params: matches.at(-1)?.params ?? {}, queryClient, data, site });
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
    status: context.statusCode === 200 ? (status ?? page?.status ?? 200) : context.statusCode,
    modules: page ? [page.module] : [],
    head: renderHead(metaOf(matches, site, queryClient), site),
    body,
    state: scriptJson({
      site,
      queries: dehydrate(queryClient, { shouldDehydrateQuery: isSettled }),
      router: { loaderData, errors },
    }),
  };
};

/** What was not found is known as well, and must not be asked for again. */
const isSettled = (query: Query) => query.state.status !== 'pending';
