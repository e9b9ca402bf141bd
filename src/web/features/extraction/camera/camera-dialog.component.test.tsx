import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { commands, page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../../../tests/component/accessible.ts';
import { middleOf, openTool } from '../../../../../tests/component/extraction.ts';
import { overflow } from '../../../../../tests/component/workspace.ts';

const button = (name: string | RegExp) => page.getByRole('button', { name });
const dialog = () => page.getByRole('dialog', { name: 'Take pages' });
const corner = (name: string) => dialog().getByRole('button', { name: new RegExp(`^${name} corner`) });

/** The corners of the sheet in the camera's picture: white paper on a dark desk, with a red bar along its top. */
const SHEET = [
  [420, 160],
  [860, 160],
  [960, 620],
  [320, 620],
] as const;

let isFilming = false;

/** A camera of 1280 × 720 pixels that films a sheet on a desk, or only the desk. */
function camera(sees: 'sheet' | 'desk' = 'sheet'): MediaStream {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: 1280, height: 720 });
  const pen = canvas.getContext('2d')!;
  const draw = () => {
    pen.fillStyle = '#4a3526';
    pen.fillRect(0, 0, 1280, 720);
    const path = (points: ReadonlyArray<readonly [number, number]>, color: string) => {
      pen.fillStyle = color;
      pen.beginPath();
      for (const [x, y] of points) pen.lineTo(x, y);
      pen.fill();
    };
    if (sees === 'sheet') {
      path(SHEET, '#f2f0ea');
      path(
        [
          [450, 200],
          [830, 200],
          [842, 250],
          [438, 250],
        ],
        '#c02020',
      );
    }
    if (isFilming) requestAnimationFrame(draw);
  };
  isFilming = true;
  draw();
  return canvas.captureStream(20);
}

const mockCamera = () => vi.spyOn(navigator.mediaDevices, 'getUserMedia');

beforeEach(async () => {
  await page.viewport(375, 812);
  await commands.emulateTouch(true);
});
afterEach(() => {
  isFilming = false;
});

async function openCamera(): Promise<void> {
  await openTool();
  await button('Take a photo').click();
  await expect.element(dialog()).toBeVisible();
}

async function takePage(): Promise<void> {
  const take = dialog().getByRole('button', { name: /^Take (this|the next) page$/ });
  await expect.element(take).toBeEnabled();
  // The first frame arrives a little after the camera has started.
  await expect.poll(() => document.querySelector('video')?.videoWidth).toBe(1280);
  await take.click();
  await expect.element(button('Use this page')).toBeVisible();
  await (dialog().getByRole('img').element() as HTMLImageElement).decode();
}

/** The position of a corner's handle in pixels of the picture. */
function cornerPosition(name: string): [number, number] {
  const handle = corner(name).element().getBoundingClientRect();
  const picture = dialog().getByRole('img').element().getBoundingClientRect();
  return [
    ((handle.x + handle.width / 2 - picture.x) / picture.width) * 1280,
    ((handle.y + handle.height / 2 - picture.y) / picture.height) * 720,
  ];
}

test.each([
  [375, 'dark'],
  [768, 'light'],
  [1440, 'light'],
] as const)(
  'camera at %i px, %s: finds the edges of each sheet, and two pages become a list',
  async (width, scheme) => {
    mockCamera().mockImplementation(async () => camera());
    await page.viewport(width, 812);
    await commands.emulateMedia({ colorScheme: scheme });
    await openCamera();
    await expectAccessible();
    await takePage();
    await expect.element(dialog()).toHaveTextContent('The edges of the sheet were found.');
    for (const [at, name] of ['Top left', 'Top right', 'Bottom right', 'Bottom left'].entries()) {
      const [x, y] = cornerPosition(name);
      expect(Math.hypot(x - SHEET[at]![0], y - SHEET[at]![1]), name).toBeLessThan(15);
    }
    await expectAccessible();
    expect(overflow()).toBeLessThanOrEqual(0);
    await expect.element(button('Use this page')).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(button('Take the next page')).toHaveFocus();
    await takePage();
    await button('Use this page').click();
    await button('Done: 2 pages').click();
    await expect.element(page.getByText('page-1.jpg', { exact: true })).toBeVisible();
    await expect.element(page.getByText('page-2.jpg', { exact: true })).toBeVisible();
  },
);

test('camera: keys and a finger move a corner, and the page is straightened along the corners', async () => {
  mockCamera().mockImplementation(async () => camera());
  await openCamera();
  await takePage();
  const before = cornerPosition('Top left');
  (corner('Top left').element() as HTMLElement).focus();
  await userEvent.keyboard('{Shift>}{ArrowRight}{/Shift}{ArrowDown}');
  const moved = cornerPosition('Top left');
  expect(moved[0] - before[0]).toBeCloseTo(64, 0);
  expect(moved[1] - before[1]).toBeCloseTo(6.4, 0);
  await userEvent.keyboard('{Shift>}{ArrowLeft}{/Shift}{ArrowUp}');
  const from = middleOf(corner('Bottom left').element());
  await commands.touch([from, { x: from.x + 20, y: from.y - 10 }]);
  expect(middleOf(corner('Bottom left').element()).x - from.x).toBeCloseTo(20, -0.5);
  await commands.touch([middleOf(corner('Bottom left').element()), from]);
  await button('Use this page').click();
  await button('Done: 1 page').click();
  // A single page is chosen like a single picture.
  await expect.element(page.getByText('page-1.jpg', { exact: true })).toBeVisible();
  const shown = page.getByRole('img', { name: /page-1\.jpg/ });
  await expect.element(shown).toBeVisible();
  const image = shown.element() as HTMLImageElement;
  await image.decode();
  const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
  const pen = canvas.getContext('2d')!;
  pen.drawImage(image, 0, 0);
  const colorAt = (x: number, y: number) => [
    ...pen.getImageData(x * canvas.width, y * canvas.height, 1, 1).data.slice(0, 3),
  ];
  expect(canvas.width).toBeGreaterThan(600);
  // White paper up to the corners, and a horizontal bar at the top.
  for (const [x, y] of [
    [0.02, 0.02],
    [0.98, 0.02],
    [0.02, 0.98],
    [0.98, 0.98],
  ] as const)
    expect(Math.min(...colorAt(x, y)), `${x} ${y}`).toBeGreaterThan(200);
  for (const x of [0.12, 0.5, 0.88]) {
    const [red = 0, green = 0] = colorAt(x, 0.18);
    expect(red - green, `bar at ${x}`).toBeGreaterThan(100);
  }
});

test('camera: without edges it offers the whole picture, and closing the dialog keeps the taken pages', async () => {
  mockCamera().mockImplementation(async () => camera('desk'));
  await openCamera();
  await takePage();
  await expect.element(dialog()).toHaveTextContent('No edges were found.');
  expect(cornerPosition('Bottom right').map(Math.round)).toEqual([1280, 720]);
  await button('Use this page').click();
  await expect.element(button('Done: 1 page')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByText('page-1.jpg', { exact: true })).toBeVisible();
});

test('camera: reports a denied or missing camera, and offers to try again', async () => {
  mockCamera()
    .mockRejectedValueOnce(new DOMException('no', 'NotAllowedError'))
    .mockRejectedValueOnce(new DOMException('no', 'NotFoundError'))
    .mockImplementation(async () => camera());
  await openCamera();
  await expect.element(dialog()).toHaveTextContent('The camera was not allowed');
  await button('Try again').click();
  await expect.element(dialog()).toHaveTextContent('No camera was found');
  await expectAccessible();
  await button('Try again').click();
  await takePage();
});
