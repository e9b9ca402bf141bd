import { describe, expect, test } from 'vitest';
import { ROUTES } from './routes.tsx';

const files = Object.keys(import.meta.glob('./pages/**/*.tsx')).map((path) => path.replace('./', 'src/web/'));

describe('the routes', () => {
  test.each(ROUTES)('$path loads its page and names the source file', async ({ open, module }) => {
    expect((await open()).Component).toBeTypeOf('function');
    expect(files).toContain(module);
  });

  test('only the fallback route has status 404', async () => {
    const statuses = await Promise.all(
      ROUTES.map(async ({ path, open }) => [path, (await open()).status ?? 200] as const),
    );
    expect(statuses.filter(([, status]) => status !== 200)).toEqual([['*', 404]]);
  });
});
