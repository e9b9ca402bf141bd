import { describe, expect, test } from 'vitest';
import { isActivePath } from './navigation-bar.tsx';

describe('the active link', () => {
  test('Home is active on the start page only', () => {
    expect(isActivePath('/', '/')).toBe(true);
    expect(isActivePath('/', '/blog')).toBe(false);
    expect(isActivePath('/', '/no-such-page')).toBe(false);
  });

  test('a section is active on its own page and on those beneath it', () => {
    expect(isActivePath('/blog', '/blog')).toBe(true);
    expect(isActivePath('/blog', '/blog/how-reading-works')).toBe(true);
  });

  test('a section is not active where another address only begins like it', () => {
    expect(isActivePath('/blog', '/blogging')).toBe(false);
    expect(isActivePath('/premium', '/premium-interest')).toBe(false);
  });

  test('a slash at the end changes nothing', () => {
    expect(isActivePath('/premium', '/premium/')).toBe(true);
  });
});
