import axe from 'axe-core';
import { expect } from 'vitest';

/** Fails with the list of what axe finds on the page as it stands, once nothing moves on it any more. */
export async function expectAccessible(): Promise<void> {
  await waitForStillness();
  // Forced colors are laid over the computed ones, by which contrast is judged.
  const isForced = matchMedia('(forced-colors: active)').matches;
  const { violations } = await axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    resultTypes: ['violations'],
    rules: {
      // The document around a component is the runner's.
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

/** A toast that is closing is half transparent; a lazily painted part has the colors of its last frame. */
async function waitForStillness(): Promise<void> {
  for (const element of document.querySelectorAll<HTMLElement>('main *'))
    if (getComputedStyle(element).contentVisibility === 'auto') element.style.contentVisibility = 'visible';
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  await expect
    .poll(() => document.getAnimations().some(({ playState }) => playState === 'running'))
    .toBe(false);
}
