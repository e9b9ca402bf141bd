import { expect, test, vi } from 'vitest';
import { commands, page, userEvent } from 'vitest/browser';
import { prepareZXingModule, type WriteInputBarcodeFormat, writeBarcode } from 'zxing-wasm/writer';
import writerWasm from 'zxing-wasm/writer/zxing_writer.wasm?url';
import { expectAccessible } from '../../../../tests/component/accessible.ts';
import {
  clipboard,
  downloadBy,
  openResult,
  openTool,
  readingOf,
} from '../../../../tests/component/extraction.ts';
import { countOnPicture, overflow } from '../../../../tests/component/workspace.ts';

const found = () => page.getByRole('region', { name: 'Found on the picture' });
const chip = (name: RegExp) => found().getByRole('button', { name });

test('found on the picture: links, mail addresses, phone numbers, dates and codes are shown in full before they can be opened', async () => {
  await commands.holdClipboard();
  performance.clearResourceTimings();
  const opened = vi.spyOn(window, 'open');
  await openResult('poster');
  await expect.element(chip(/^QR code: harbour-lane\.example\/table\/4/)).toBeVisible();
  await expect.poll(() => countOnPicture('.found')).toBe(5);
  expect(found().getByRole('link').query()).toBeNull();

  await chip(/^QR code/).click();
  await expect.element(found()).toHaveTextContent('https://harbour-lane.example/table/4');
  const open = found().getByRole('link', { name: /Open (www\.)?harbour-lane\.example/ });
  await expect.element(open).toHaveAttribute('href', 'https://harbour-lane.example/table/4');
  await expect.element(open).toHaveAttribute('rel', 'noopener noreferrer');
  await expect.element(open).toHaveAttribute('target', '_blank');
  await expectAccessible();

  await chip(/^Link: harbour-lane\.example/).click();
  await expect
    .element(open)
    .toHaveAttribute('href', expect.stringMatching(/^https:\/\/www\.harbour-lane\.example/));
  await chip(/^Mail address/).click();
  await expect
    .element(found().getByRole('link'))
    .toHaveAttribute('href', 'mailto:bread@harbour-lane.example');
  await chip(/^Telephone number/).click();
  await expect.element(found().getByRole('link')).toHaveAttribute('href', 'tel:+442079460958');
  await found().getByRole('button', { name: 'Copy' }).click();
  await expect.poll(clipboard).toBe('+44 20 7946 0958');

  await chip(/^Date/).click();
  const { text } = await downloadBy(() =>
    found()
      .getByRole('button', { name: /calendar/ })
      .click(),
  );
  expect(text).toContain('DTSTART;VALUE=DATE:20261122');
  expect(text).toContain('SUMMARY:Open day on 22 November 2026');

  await userEvent.click(document.querySelector('.word-boxes rect[data-found]')!);
  await expect.element(chip(/^QR code/)).toHaveAttribute('aria-expanded', 'true');
  const elsewhere = performance
    .getEntriesByType('resource')
    .map(({ name }) => name)
    .filter((name) => !/^(http:\/\/localhost|blob:|data:)/.test(name));
  expect(elsewhere, 'requests to other hosts').toEqual([]);
  expect(opened).not.toHaveBeenCalled();
});

/** A picture with these codes, each with a white margin. */
async function sheetOfCodes(codes: ReadonlyArray<readonly [WriteInputBarcodeFormat, string]>): Promise<File> {
  prepareZXingModule({ overrides: { locateFile: () => writerWasm } });
  const canvas = new OffscreenCanvas(1000, 420 * Math.ceil(codes.length / 2));
  const pen = canvas.getContext('2d')!;
  pen.fillStyle = '#f4efe4';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  for (const [index, [format, text]] of codes.entries()) {
    const { image } = await writeBarcode(text, { format, scale: 3, addQuietZones: true });
    const bitmap = await createImageBitmap(image!);
    pen.drawImage(bitmap, 20 + 500 * (index % 2), 20 + 420 * Math.floor(index / 2));
  }
  return new File([await canvas.convertToBlob()], 'codes.png', { type: 'image/png' });
}

test('bar codes: a press finds codes of every common kind, and the decoder is loaded only then', async () => {
  const codes = [
    ['EAN13', '4006381333931'],
    ['UPCA', '036000291452'],
    ['Code128', 'HL-128'],
    ['Code39', 'RYE 39'],
    ['DataMatrix', 'Two loaves of rye'],
    ['PDF417', 'https://harbour-lane.example/pass'],
    ['Aztec', 'Ticket 7 to the harbour'],
  ] as const;
  const picture = await sheetOfCodes(codes);
  const { width, height } = await createImageBitmap(picture);
  performance.clearResourceTimings();
  const extraction = { ...readingOf('sky'), image: { width, height, rotation: 0 } };
  const tool = await openTool({ state: { extraction } });
  await tool.choose(picture);
  await tool.read();
  const readers = () =>
    performance.getEntriesByType('resource').filter(({ name }) => /barcode-worker|zxing_reader/.test(name));
  expect(readers()).toEqual([]);
  const look = found().getByRole('button', { name: 'Look for bar codes' });
  (look.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(found()).toHaveTextContent('7 codes found.');
  await expectAccessible();
  const labels = found()
    .getByRole('listitem')
    .elements()
    .map(({ textContent }) => textContent)
    .toSorted();
  expect(labels).toEqual([
    'Aztec code: Ticket 7 to the harbour',
    'Code 128 bar code: HL-128',
    'Code 39 bar code: RYE 39',
    'Data Matrix code: Two loaves of rye',
    // A UPC-A code is the same as an EAN-13 code that starts with 0.
    'EAN-13 bar code: 0036000291452',
    'EAN-13 bar code: 4006381333931',
    'PDF417 code: harbour-lane.example/pass',
  ]);
  await chip(/^EAN-13 bar code: 4006/).click();
  await expect.element(found()).toHaveTextContent('The EAN-13 bar code says');
  expect(readers().length).toBeGreaterThan(0);
});

test.each([
  [1440, 'light'],
  [768, 'dark'],
  [375, 'dark'],
] as const)(
  'bar codes at %i px, %s: without a code, a message replaces the button',
  async (width, scheme) => {
    await page.viewport(width, 900);
    await commands.emulateMedia({ colorScheme: scheme });
    await openResult('note');
    await found().getByRole('button', { name: 'Look for bar codes' }).click();
    await expect.element(found()).toHaveTextContent('No bar code was found.');
    await expectAccessible();
    expect(overflow()).toBeLessThanOrEqual(0);
  },
);

test('found on the picture: a doubtful link shows the lowest confidence of its words', async () => {
  const extraction = readingOf('poster');
  for (const word of extraction.lines.flatMap(({ words }) => words))
    if (word.text.startsWith('www.')) word.confidence = 41;
  await openResult('poster', { state: { extraction } });
  await found()
    .getByRole('button', { name: /^Link: .*in doubt/ })
    .click();
  await expect.element(found()).toHaveTextContent('Only 41% sure. Compare it with the picture first.');
});
