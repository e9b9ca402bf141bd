import type { Page, Request } from '@playwright/test';
import { NOTE, note, openTool } from '../extraction-page.ts';
import { PATIENT } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({ settings: PATIENT });

const TEN_MB = 10 * 1024 * 1024;
/** A real picture that is as large as it has to be: what follows a PNG's end is not looked at. */
const png = (name: string, size: number) => {
  const buffer = Buffer.alloc(size);
  note.bytes.copy(buffer);
  return { name, mimeType: 'image/png', buffer };
};

test('a file that is no picture is refused, and the picture chosen before stays', async ({ page }) => {
  const tool = await openTool(page);
  await tool.choose(NOTE);
  await tool.file.setInputFiles({
    name: 'letter.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('x'),
  });
  await expect(tool.toast).toContainText('Invalid file type');
  await expect(tool.toast).toContainText('Please select an image file (PNG, JPG, WebP)');
  const complaint = page.getByRole('alert').filter({ hasText: 'Invalid file type' });
  await expect(complaint).toBeVisible();
  await expect(tool.file).toHaveAccessibleDescription(/Invalid file type/);
  await expect(page.getByText('note.png', { exact: true })).toBeVisible();
  await expect(tool.extract).toBeEnabled();

  await tool.choose(NOTE);
  await expect(complaint).toHaveCount(0);
});

test('ten megabytes are allowed and one byte more is not', async ({ page }) => {
  const tool = await openTool(page);
  await tool.file.setInputFiles(png('exact.png', TEN_MB));
  await expect(page.getByText('10.00 MB')).toBeVisible();
  await tool.file.setInputFiles(png('more.png', TEN_MB + 1));
  await expect(tool.toast).toContainText('File too large');
  await expect(tool.toast).toContainText('Please select an image smaller than 10MB');
  await expect(page.getByText('exact.png', { exact: true })).toBeVisible();
});

test('the shortcut without a file says that one is needed', async ({ page }) => {
  const tool = await openTool(page);
  await page.keyboard.press('Control+Enter');
  await expect(tool.toast).toContainText('No file selected');
  await expect(tool.toast).toContainText('Please select an image file first');
});

test.describe('when the server refuses the picture', () => {
  test.use({ expectedConsole: [/415/] });

  test('its reason is said and stays, and the quota is untouched', async ({ page }) => {
    const tool = await openTool(page);
    await tool.file.setInputFiles({
      name: 'drawing.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><text>Hello</text></svg>'),
    });
    await tool.extract.click();
    await expect(tool.toast).toContainText('Extraction failed');
    await expect(page.getByRole('alert').filter({ hasText: 'Extraction failed' })).toContainText(
      'SVG drawings cannot be read',
    );
    expect(await (await page.request.get('/api/usage')).json()).toMatchObject({ imageCount: 0 });
  });
});

test.describe('when the connection is gone', () => {
  test.use({ expectedConsole: [/ERR_INTERNET_DISCONNECTED/] });

  test('the picture stays and trying again repeats the very same press', async ({ page, context }) => {
    const tool = await openTool(page);
    const keys: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/extract-text')) keys.push(request.headers()['idempotency-key']);
    });
    const quiet = untilQuiet(page);
    await tool.choose(NOTE);
    await quiet();
    await context.setOffline(true);
    await tool.extract.click();
    await expect(tool.toast).toContainText('Extraction failed');
    await expect(tool.toast).toContainText('Please try again');
    await expect(page.getByText('note.png', { exact: true })).toBeVisible();
    const failure = page.getByRole('alert').filter({ hasText: 'Extraction failed' });
    await expect(failure).toContainText('You are offline.');
    await expect(failure).toContainText('Your picture is still here.');

    await context.setOffline(false);
    await expect(failure).not.toContainText('You are offline.');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(tool.text).toHaveValue(/rye bread/, { timeout: 30_000 });
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBeTruthy();
    expect(keys[1]).toBe(keys[0]);
  });
});

/** Begins to count what is on its way. The answer waits until nothing has been for a moment: late parts ask for later ones. */
function untilQuiet(page: Page): () => Promise<void> {
  const underWay = new Set<Request>();
  let since = Date.now();
  const told = (change: (request: Request) => void) => (request: Request) => {
    change(request);
    since = Date.now();
  };
  page.on(
    'request',
    told((request) => underWay.add(request)),
  );
  page.on(
    'requestfinished',
    told((request) => underWay.delete(request)),
  );
  page.on(
    'requestfailed',
    told((request) => underWay.delete(request)),
  );
  return () => expect.poll(() => underWay.size === 0 && Date.now() - since > 500).toBe(true);
}
