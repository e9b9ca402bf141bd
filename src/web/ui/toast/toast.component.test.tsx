import { describe, expect, test, vi } from 'vitest';
import { commands, page, userEvent } from 'vitest/browser';
import { PAGES } from '#contract/paths';
import { openApplication, toast } from '../../../../tests/component/application.tsx';
import {
  middleOf,
  openResult,
  openTool,
  pictureFile,
  waitUntilStill,
} from '../../../../tests/component/extraction.ts';
import { AVAILABLE, button, dialog, openAs, signInButton } from '../../../../tests/component/people.ts';
import { changedNote } from '../../../../tests/component/workspace.ts';
import { toast as show } from './toast-store.ts';

const viewport = () => document.querySelector<HTMLElement>('.toast-viewport');
const box = () => toast().element().getBoundingClientRect();

/** The toast region is created on the first user interaction. */
async function openWithToasts() {
  await openApplication();
  await userEvent.keyboard('{Shift}');
  await expect.poll(viewport).not.toBeNull();
}

describe('toast', () => {
  test('toast: a new one replaces the previous one, and none is wider than 420 px', async () => {
    await openWithToasts();
    show({ title: 'The first' });
    await expect.element(toast()).toHaveTextContent('The first');
    show({ title: 'The second', description: 'With many more words than fit. '.repeat(10) });
    await expect.element(toast()).toHaveTextContent('The second');
    expect(toast().elements()).toHaveLength(1);
    expect(box().width).toBeLessThanOrEqual(420);
  });

  test('toast: disappears after five seconds, not before', async () => {
    await openWithToasts();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    show({ title: 'Copied!' });
    await expect.element(toast()).toBeVisible();
    await vi.advanceTimersByTimeAsync(4_500);
    expect(toast().elements()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1_000);
    await expect.element(toast()).not.toBeInTheDocument();
  });

  test('toast: F8 moves the focus into the toast region', async () => {
    await openWithToasts();
    show({ title: 'Copied!' });
    await expect.element(toast()).toBeVisible();
    await userEvent.keyboard('{F8}');
    await expect.poll(() => document.activeElement).toBe(viewport());
  });

  test('toast: a swipe of more than 50 px to the right closes it, a shorter one does not', async () => {
    await openWithToasts();
    await showPersistent('Copied!');
    await waitUntilStill(() => toast().query());
    const swipe = (distance: number) => {
      const start = { x: box().x + 20, y: box().y + 20 };
      return commands.drag([start, { x: start.x + distance, y: start.y }], { steps: 8 });
    };
    await swipe(35);
    await waitUntilStill(() => toast().query());
    expect(toast().elements()).toHaveLength(1);
    await swipe(70);
    await expect.element(toast()).not.toBeInTheDocument();
  });
});

const WIDTHS = [
  [375, 812],
  [768, 1024],
  [1024, 768],
  [1280, 800],
  [1440, 900],
] as const;

/** The open toast, also if a dialog hides it from the accessibility tree. */
const shownToast = () => document.querySelector('.toast-viewport > [data-state=open]');

/** Shows a toast that does not time out. */
async function showPersistent(title: string, description?: string): Promise<void> {
  show({ title, description });
  await expect.poll(() => shownToast()?.textContent).toContain(title);
  window.dispatchEvent(new Event('blur'));
}

/** The controls that the toast covers. Under a dialog, the page's controls cannot be pressed and do not count. */
const coveredControls = () => coveredParts('button, a[href], input, select, summary');

function coveredParts(selector: string): string[] {
  const message = shownToast()!.getBoundingClientRect();
  const page = document.querySelector('[role=dialog]') ?? document.body;
  return [...page.querySelectorAll(selector)]
    .filter((part) => !part.closest('.toast-viewport') && part.checkVisibility())
    .filter((part) => {
      const { left, right, top, bottom } = part.getBoundingClientRect();
      return left < message.right && right > message.left && top < message.bottom && bottom > message.top;
    })
    .map((part) => part.textContent?.trim() || part.outerHTML);
}

/** Presses for 60 ms while the toast closes. @returns the clicked button and how far the control moved, in pixels */
async function pressAndMeasure(control: Element): Promise<{ target: Element | null; moved: number }> {
  control.scrollIntoView({ block: 'nearest' });
  const before = control.getBoundingClientRect();
  let target: Element | null = null;
  let moved = 0;
  const record = (event: Event) => {
    target = (event.target as Element).closest('button');
    moved = Math.abs(control.getBoundingClientRect().top - before.top);
    event.stopPropagation();
    event.preventDefault();
  };
  document.addEventListener('click', record, { capture: true, once: true });
  const point = middleOf(control);
  await commands.mouse('move', point);
  await commands.mouse('down', point);
  await new Promise((done) => setTimeout(done, 60));
  await commands.mouse('up', point);
  await expect.poll(() => target).not.toBeNull();
  return { target, moved };
}

const tab = (name: string) => dialog().getByRole('tab', { name });
const inDialog = (name: string) => dialog().getByRole('button', { name, exact: true });

const DIALOGS: Record<string, () => Promise<() => Element>> = {
  login: async () => {
    await openAs(null, '/', { site: AVAILABLE });
    await signInButton().click();
    return () => inDialog('Login').element();
  },
  register: async () => {
    await openAs(null, '/', { site: AVAILABLE });
    await signInButton().click();
    await tab('Register').click();
    return () => inDialog('Create Account').element();
  },
  payment: async () => {
    await openAs(null, '/?payment=required&email=reader@example.org', { site: AVAILABLE });
    await expect.element(dialog()).toBeVisible();
    return () =>
      [...dialog().element().querySelectorAll('button')].find(({ textContent }) => /pay/i.test(textContent))!;
  },
  'coming soon': async () => {
    await openAs(null, '/');
    await signInButton().click();
    return () => inDialog('Notify Me When Ready').element();
  },
  waitlist: async () => {
    await openAs(null, PAGES.premium);
    await button('Get Notified When Available').click();
    return () => inDialog('Notify Me').element();
  },
};

describe('toast beside controls', () => {
  test.each(Object.keys(DIALOGS))(
    'toast: over the %s dialog it covers no control, and a press reaches its button at every width',
    async (name) => {
      await page.viewport(1440, 900);
      const control = await DIALOGS[name]!();
      await expect.element(dialog()).toBeVisible();
      for (const [width, height] of WIDTHS) {
        await page.viewport(width, height);
        await showPersistent('Registration Successful!', 'Please sign in with your new account.');
        await waitUntilStill(control);
        await expect.poll(coveredControls, { message: `${width} px` }).toEqual([]);
        const { target, moved } = await pressAndMeasure(control());
        expect(target, `${width} px`).toBe(control());
        expect(moved, `${width} px`).toBe(0);
      }
    },
    60_000,
  );

  test('toast: does not move a dialog when it opens and closes', async () => {
    await page.viewport(375, 812);
    await DIALOGS.waitlist!();
    await waitUntilStill(() => dialog().query());
    const place = () => JSON.stringify(dialog().element().getBoundingClientRect());
    const before = place();
    await showPersistent('Email Required', 'Please enter your email address.');
    expect(place()).toBe(before);
  });

  test.each(WIDTHS)(
    'toast: at %d px it covers no control, no badge and no review bar of a result',
    async (width, height) => {
      await page.viewport(width, height);
      const extraction = changedNote({ doubtful: ['rye'] });
      await openResult('note', { state: { extraction } });
      await showPersistent('Copied!', 'Text copied to clipboard');
      await expect.poll(coveredControls).toEqual([]);
      expect(coveredParts('[data-badge], [data-review]')).toEqual([]);
      await userEvent.keyboard('{F2}');
      await expect.element(page.getByRole('button', { name: 'Looks right' })).toBeVisible();
      await showPersistent('Copied!', 'Text copied to clipboard');
      await expect
        .poll(() => [...coveredControls(), ...coveredParts('[data-badge], [data-review]')])
        .toEqual([]);
    },
  );

  /** Adds a part where the toast is. */
  function coverToast(part: HTMLElement): () => void {
    // The toast itself is still animating, so the region is measured.
    const { left, top, width, height } = viewport()!.getBoundingClientRect();
    part.textContent = 'Late';
    part.style.cssText = `position: fixed; left: ${left}px; top: ${top}px; width: ${width}px; height: ${height}px`;
    document.body.append(part);
    return () => part.remove();
  }

  async function openWithPicture() {
    const tool = await openTool();
    await tool.choose(await pictureFile('note'));
    await waitUntilStill(() => tool.extract.query());
    await showPersistent('Copied!');
    return viewport()!.getBoundingClientRect();
  }

  test('toast: moves away from a control that appears below it after a press has ended', async () => {
    const { top } = await openWithPicture();
    await commands.mouse('move', { x: 5, y: 200 });
    await commands.mouse('down', { x: 5, y: 200 });
    const remove = coverToast(document.createElement('button'));
    await new Promise((done) => setTimeout(done, 500));
    expect(viewport()!.getBoundingClientRect().top).toBe(top);
    await commands.mouse('up', { x: 5, y: 200 });
    await expect.poll(coveredControls).toEqual([]);
    remove();
  });

  test('toast: moves away from a control while it is hovered or has the focus', async () => {
    await openWithPicture();
    await commands.mouse('move', middleOf(shownToast()!));
    const button = document.createElement('button');
    const remove = coverToast(button);
    await expect.poll(coveredControls).toEqual([]);
    remove();
    await userEvent.keyboard('{F8}');
    coverToast(button);
    await expect.poll(coveredControls).toEqual([]);
    expect(document.activeElement?.closest('.toast-viewport')).not.toBeNull();
    remove();
  });

  test('toast: moves to the corner of a resized window', async () => {
    await page.viewport(375, 812);
    await openWithPicture();
    await page.viewport(1440, 900);
    const right = () =>
      Math.round(document.documentElement.clientWidth - viewport()!.getBoundingClientRect().right);
    await expect.poll(right).toBe(0);
  });

  test('toast: moves away from a review bar that appears after it', async () => {
    await openWithPicture();
    const answer = document.createElement('p');
    answer.dataset.review = '';
    const remove = coverToast(answer);
    await expect.poll(() => coveredParts('[data-review]')).toEqual([]);
    remove();
  });
});
