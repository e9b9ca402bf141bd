import { describe, expect, test } from 'vitest';
import { isActivePath } from './navigation-bar.tsx';

describe('the active link', () => {
  test('Home is active on the start page only', () => {
    expect(isActivePath('/', '/')).toBe(true);
    expect(isActivePath('/', '/blog')).toBe(false);
    expect(isActivePath('/', '/no-such-page')).toBe(false);
  });

  test('a section is active on its page and its subpages', () => {
    expect(isActivePath('/blog', '/blog')).toBe(true);
    expect(isActivePath('/blog', '/blog/how-reading-works')).toBe(true);
  });

  test('a section is not active on a path that only starts with the same letters', () => {
    expect(isActivePath('/blog', '/blogging')).toBe(false);
    expect(isActivePath('/premium', '/premium-interest')).toBe(false);
  });

  test('a trailing slash is ignored', () => {
    expect(isActivePath('/premium', '/premium/')).toBe(true);
  });
});
