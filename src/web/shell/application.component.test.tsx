import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { PAGES } from '#contract/paths';
import { expectAccessible } from '../../../tests/component/accessible.ts';
import { openApplication } from '../../../tests/component/application.tsx';
import { blogHandlers } from '../../../tests/component/articles.ts';
import { expectConsole } from '../../../tests/component/console.ts';
import { worker } from '../../../tests/component/server.ts';
import { ROUTES } from '../routes.tsx';

const bar = () => page.getByRole('navigation', { name: 'Main', exact: true });
const heading = () => page.getByRole('heading', { name: 'This page did not come out right' });
const routeOf = (path: string) => ROUTES.find((route) => route.path === path)!;

beforeEach(() => worker.use(...blogHandlers()));

describe('error page', () => {
  test('error page: replaces a page whose code cannot be loaded, and the rest of the site works', async () => {
    vi.spyOn(routeOf(PAGES.premium), 'open').mockRejectedValue(new Error('no such file'));
    await openApplication(PAGES.home);
    await bar().getByRole('link', { name: 'Premium' }).click();
    await expect.element(heading()).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Try again' })).toBeVisible();
    await expectAccessible();
    await bar().getByRole('link', { name: 'Blog' }).click();
    await expect.element(page.getByRole('article').first()).toBeVisible();
  });

  test('error page: the next visit loads a page that failed to load before', async () => {
    const open = vi.spyOn(routeOf(PAGES.premium), 'open').mockRejectedValue(new Error('no such file'));
    await openApplication(PAGES.blog);
    await bar().getByRole('link', { name: 'Premium' }).click();
    await expect.element(heading()).toBeVisible();
    open.mockRestore();
    await bar().getByRole('link', { name: 'Premium' }).click();
    await expect.element(page.getByRole('heading', { level: 1 })).not.toHaveTextContent('did not come out');
  });

  test('error page: is shown inside the layout if rendering a page fails, until the next navigation', async () => {
    expectConsole(/render failed|The above error|error boundary/i);
    const { open } = routeOf(PAGES.premium);
    const failToRender = () => {
      throw new Error('render failed');
    };
    vi.spyOn(routeOf(PAGES.premium), 'open').mockImplementation(async () => ({
      ...(await open()),
      Component: failToRender,
      parts: [],
    }));
    await openApplication(PAGES.premium);
    await expect.element(heading()).toBeVisible();
    await page.getByRole('link', { name: 'Back to the tool' }).click();
    await expect.element(page.getByRole('button', { name: 'Extract Text' })).toBeInTheDocument();
    expect(heading().query()).toBeNull();
  });

  test('error page: is shown without the layout if the layout fails', async () => {
    expectConsole(/render failed|The above error|error boundary/i);
    const route = routeOf(PAGES.blog);
    const { Layout } = route;
    onTestFinished(() => void Object.assign(route, { Layout }));
    route.Layout = () => {
      throw new Error('render failed');
    };
    await openApplication(PAGES.blog);
    await expect.element(heading()).toBeVisible();
    expect(bar().query()).toBeNull();
    await page.getByRole('link', { name: 'Back to the tool' }).click();
    await expect.element(page.getByRole('button', { name: 'Extract Text' })).toBeInTheDocument();
  });
});
