import { afterEach, expect, it, vi } from 'vitest';
import { trustedScript } from './trusted-script.ts';

afterEach(() => vi.unstubAllGlobals());

it('trusted script: accepts only URLs of the page’s origin', () => {
  vi.stubGlobal('location', new URL('https://text.example.org/blog'));
  expect(trustedScript('/assets/worker.js')).toBe('https://text.example.org/assets/worker.js');
  for (const foreign of [
    'https://elsewhere.example.org/x.js',
    '//elsewhere.example.org/x.js',
    'data:text/javascript,1',
  ]) {
    expect(() => trustedScript(foreign)).toThrow('not from this site');
  }
});
