import { afterEach, expect, test } from 'vitest';
import { commands } from 'vitest/browser';
import type {} from '../../../tests/component/browser-actions.ts';
import { bringToTop } from './reveal.ts';

/** A long page with an element far down, and the area above it where a notice may appear. */
function longPage() {
  const above = document.createElement('div');
  const element = document.createElement('h2');
  element.textContent = 'Result';
  const below = document.createElement('div');
  above.style.height = below.style.height = '3000px';
  document.body.append(above, element, below);
  return { above, element, top: () => Math.round(element.getBoundingClientRect().top) };
}

/** The lower edge of the sticky navigation bar, in pixels. */
const TOP = () => Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop);

afterEach(() => document.body.replaceChildren());

test('bringToTop: the element is at the top even if a notice appears above it during a smooth scroll', async () => {
  await commands.emulateMedia({ reducedMotion: 'no-preference' });
  const { above, element, top } = longPage();
  bringToTop(element);
  await expect.poll(() => window.scrollY).toBeGreaterThan(0);
  above.style.height = '3400px';
  await expect.poll(top).toBe(TOP());
});

test('bringToTop: a scroll by the user cancels it', async () => {
  await commands.emulateMedia({ reducedMotion: 'no-preference' });
  const { element, top } = longPage();
  bringToTop(element);
  await expect.poll(() => window.scrollY).toBeGreaterThan(0);
  document.body.dispatchEvent(new WheelEvent('wheel', { bubbles: true }));
  window.scrollTo({ top: 0, behavior: 'instant' });
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(top()).toBeGreaterThan(1000);
});

test('bringToTop: does not scroll again once the element is at the top', async () => {
  const { top, element } = longPage();
  bringToTop(element);
  await expect.poll(top).toBe(TOP());
  await new Promise(requestAnimationFrame);
  window.scrollTo({ top: 0, behavior: 'instant' });
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(top()).toBeGreaterThan(1000);
});
