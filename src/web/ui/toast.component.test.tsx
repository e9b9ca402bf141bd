import { describe, expect, test, vi } from 'vitest';
import { commands, userEvent } from 'vitest/browser';
import { openApplication, toast } from '../../../tests/component/application.tsx';
import { settled } from '../../../tests/component/extraction.ts';
import { toast as show } from './toast-store.ts';

const viewport = () => document.querySelector<HTMLElement>('.toast-viewport');
const box = () => toast().element().getBoundingClientRect();

/** The region comes with the first action of a person. */
async function openWithToasts() {
  await openApplication();
  await userEvent.keyboard('{Shift}');
  await expect.poll(viewport).not.toBeNull();
}

describe('toast', () => {
  test('toast: a new one takes the place of the one before, and none is wider than 420 px', async () => {
    await openWithToasts();
    show({ title: 'The first' });
    await expect.element(toast()).toHaveTextContent('The first');
    show({ title: 'The second', description: 'With many more words than fit. '.repeat(10) });
    await expect.element(toast()).toHaveTextContent('The second');
    expect(toast().elements()).toHaveLength(1);
    expect(box().width).toBeLessThanOrEqual(420);
  });

  test('toast: goes after five seconds, not before', async () => {
    await openWithToasts();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    show({ title: 'Copied!' });
    await expect.element(toast()).toBeVisible();
    await vi.advanceTimersByTimeAsync(4_500);
    expect(toast().elements()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1_000);
    await expect.element(toast()).not.toBeInTheDocument();
  });

  test('toast: F8 moves the focus into the region of messages', async () => {
    await openWithToasts();
    show({ title: 'Copied!' });
    await expect.element(toast()).toBeVisible();
    await userEvent.keyboard('{F8}');
    await expect.poll(() => document.activeElement).toBe(viewport());
  });

  test('toast: a swipe of more than 50 px to the right closes it, a shorter one does not', async () => {
    await openWithToasts();
    show({ title: 'Copied!' });
    await settled(() => toast().query());
    const swipe = (distance: number) => {
      const start = { x: box().x + 20, y: box().y + 20 };
      return commands.drag([start, { x: start.x + distance, y: start.y }], { steps: 8 });
    };
    await swipe(35);
    await settled(() => toast().query());
    expect(toast().elements()).toHaveLength(1);
    await swipe(70);
    await expect.element(toast()).not.toBeInTheDocument();
  });
});
