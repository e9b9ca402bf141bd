import { describe, expect, test } from 'vitest';
import { matchRoute, type Route } from './router.tsx';

const Layout = () => null;

const route = (path: string): Route => ({
  path,
  Layout,
  module: '',
  open: () => Promise.reject(new Error('not opened here')),
});
const routes = ['/', '/blog', '/blog/:slug', '/account/claim', '*'].map(route);

const matched = (pathname: string) => {
  const { route, params } = matchRoute(routes, pathname);
  return [route.path, params];
};

describe('matchRoute', () => {
  test.each([
    ['/', '/', {}],
    ['/blog', '/blog', {}],
    ['/blog/', '/blog', {}],
    ['/Blog', '*', {}],
    ['/blog/a-slug', '/blog/:slug', { slug: 'a-slug' }],
    ['/blog/caf%C3%A9', '/blog/:slug', { slug: 'café' }],
    ['/blog/%E0%A4%A', '/blog/:slug', { slug: '%E0%A4%A' }],
    ['/account/claim', '/account/claim', {}],
    ['/account', '*', {}],
    ['/blog/a/b', '*', {}],
    ['/no/such/page', '*', {}],
  ])('%s matches %s', (pathname, path, params) => {
    expect(matched(pathname)).toEqual([path, params]);
  });
});
