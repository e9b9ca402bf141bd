import type { RouteObject } from 'react-router';
import { describe, expect, test } from 'vitest';
import type { PageHandle } from './page.ts';
import { createRoutes } from './routes.tsx';

const files = Object.keys(import.meta.glob('./pages/**/*.tsx')).map((path) => path.replace('./', 'src/web/'));

const pageRoutes = (routes: readonly RouteObject[]): RouteObject[] =>
  routes.flatMap((route) => (route.path === undefined ? pageRoutes(route.children ?? []) : [route]));

/** A route's page, loaded as a visit would load it. */
async function load({ lazy }: RouteObject): Promise<PageHandle> {
  if (typeof lazy !== 'function') throw new Error('the page is not loaded lazily');
  return (await lazy()).handle;
}

describe('the routes', () => {
  test.each(pageRoutes(createRoutes()))(
    '$path loads its page when visited and names the file it came from',
    async (route) => {
      const page = await load(route);
      expect(page.Component).toBeTypeOf('function');
      expect(files).toContain(page.module);
    },
  );

  test('only the address of last resort is answered as not found', async () => {
    const statuses = await Promise.all(
      pageRoutes(createRoutes()).map(async (route) => [route.path, (await load(route)).status ?? 200]),
    );
    expect(statuses.filter(([, status]) => status !== 200)).toEqual([['*', 404]]);
  });
});
