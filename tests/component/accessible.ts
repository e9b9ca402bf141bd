import axe from 'axe-core';
import { expect } from 'vitest';

/** Waits for animations to end, and fails with the list of axe violations on the page. */
export async function expectAccessible(): Promise<void> {
  await waitForAnimations();
  // axe computes contrast from the computed colors, which forced colors override.
  const isForced = matchMedia('(forced-colors: active)').matches;
  const { violations } = await axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    resultTypes: ['violations'],
    rules: {
      // The document around a component belongs to the test runner.
      'document-title': { enabled: false },
      'html-has-lang': { enabled: false },
      'meta-viewport': { enabled: false },
      ...(isForced && { 'color-contrast': { enabled: false } }),
    },
  });
  const findings = violations.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`,
  );
  expect(findings).toEqual([]);
}

/** A closing toast is half transparent, and a part with `content-visibility: auto` has the colors of its last frame. */
async function waitForAnimations(): Promise<void> {
  for (const element of document.querySelectorAll<HTMLElement>('main *'))
    if (getComputedStyle(element).contentVisibility === 'auto') element.style.contentVisibility = 'visible';
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  await expect
    .poll(() => document.getAnimations().some(({ playState }) => playState === 'running'))
    .toBe(false);
}
