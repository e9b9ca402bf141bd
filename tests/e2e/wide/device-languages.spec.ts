import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { countOnDevice } from '#contract/calls/recognition';
import { languagesPath } from '../../../scripts/test-programs.mjs';
import { DEVICE_TIMEOUT_MS, deviceSwitch, expectEngine, expectReadOnDevice } from '../device-reading.ts';
import { openTool } from '../extraction-page.ts';
import { becomeMember, FAILED_REQUESTS, HIGH_RATE_LIMITS } from '../people.ts';
import { expect, test } from '../test.ts';

const LINES = [
  'Die Bäckerei öffnet früh am Morgen.',
  'Fünf süße Brötchen kosten zwei Euro,',
  'und der große Käsekuchen reicht für acht.',
];

/** A picture of the lines, black on white. */
function german(): Promise<Buffer> {
  const lines = LINES.map((line, at) => `<text x="40" y="${80 + at * 60}">${line}</text>`).join('');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="260"><rect width="900" height="260" fill="#fff"/><g font-family="DejaVu Serif" font-size="32">${lines}</g></svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

test.use({
  settings: { ...HIGH_RATE_LIMITS, PREMIUM_AVAILABILITY: 'available', OCR_LANG_DIRS: languagesPath() },
  expectedConsole: FAILED_REQUESTS,
});

test('read on this device: a member reads German with language data that the server serves by its hash, and sends nothing', async ({
  page,
}) => {
  test.setTimeout(2 * DEVICE_TIMEOUT_MS);
  await becomeMember(page, 'leserin');
  const tool = await openTool(page);
  await page.getByRole('button', { name: 'Language: Found automatically' }).click();
  await page.getByRole('checkbox', { name: 'German' }).check();
  await page.keyboard.press('Escape');
  const picture = { name: 'brot.png', type: 'image/png', bytes: await german() };
  await tool.choose(picture);

  const sent: string[] = [];
  const fetched: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() !== 'GET') sent.push(`${pathname} ${request.postDataBuffer()?.length ?? 0}`);
    else if (pathname.startsWith('/api/languages/deu/')) fetched.push(pathname);
  });
  const device = deviceSwitch(page);
  await expect(device).toHaveAccessibleDescription(/^Reads German here; .* Fetches 1[5-9](\.\d)? MB, once$/);
  await device.click();
  await expectEngine(page);
  await tool.extract.click();
  await expectReadOnDevice(page);
  expect((await tool.text.inputValue()).split('\n').filter(Boolean)).toEqual(LINES);

  const data = readFileSync(path.join(languagesPath(), 'deu.traineddata'));
  const sha256 = createHash('sha256').update(data).digest('hex');
  expect(fetched).toEqual([`/api/languages/deu/${sha256}`]);
  expect(sent).toEqual([`${countOnDevice.path} 0`]);
  expect(await (await page.request.get('/api/usage')).json()).toMatchObject({ imageCount: 1 });

  // The language data is kept for the next picture.
  await page.getByRole('button', { name: 'Upload Another Image' }).click();
  await tool.choose(picture);
  await expect(device).toHaveAccessibleDescription(/^Reads German here; neither .* sent$/);
});
