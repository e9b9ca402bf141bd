import { expect, it } from 'vitest';
import { customPdf } from '../../../tests/support/custom-pdf.ts';
import { openPdf } from './pdf-document.ts';
import { withRebuiltTable } from './rebuilt-table.ts';

const whole = Buffer.from(
  customPdf({
    pages: [{ contents: ['0 0 m 9 9 l S'] }, { contents: ['9 9 m 0 0 l S'] }],
    catalog: { '/Lang': 'u:en-GB' },
    info: { '/Title': 'u:Mine' },
  }),
).toString('latin1');
const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));

it.each([
  ['wrong offsets', whole.replaceAll(/0000000(\d)/g, '0000009$1')],
  ['a wrong startxref', whole.replace(/startxref\n\d+/, 'startxref\n7')],
  ['no cross-reference table', whole.slice(0, whole.indexOf('xref'))],
  ['bytes before its header', `junk\n${whole.replace(/startxref\n\d+/, 'startxref\n7')}`],
])('openPdf: finds the objects of a PDF with %s', async (_, text) => {
  const document = await openPdf(bytes(text));
  expect(document.pages()).toHaveLength(2);
  expect(document.catalog['/Lang']).toBe('u:en-GB');
  if (text.includes('trailer'))
    expect(document.dictionary(document.trailer['/Info'])).toEqual({ '/Title': 'u:Mine' });
});

it('openPdf: takes the later of two objects with one number', async () => {
  const added = '6 0 obj\n<< /Type /Catalog /Pages 5 0 R /Lang (fr) >>\nendobj\n';
  const [before, root] = [/\/Root (\d+) 0 R/.exec(whole)?.[1], whole.slice(0, whole.indexOf('xref'))];
  const list = /\/Pages (\d+ 0 R)/.exec(whole)?.[1];
  const text = `${root}${added.replace('6 0 obj', `${before} 0 obj`).replace('5 0 R', String(list))}`;
  expect((await openPdf(bytes(text))).catalog['/Lang']).toBe('u:fr');
});

it.each([
  ['object streams', whole.replace('/Type /Page ', '/Type /ObjStm ')],
  ['encryption', whole.replace('/Root', '/Encrypt 9 0 R /Root')],
  ['no catalog', whole.slice(0, whole.indexOf('trailer')).replace('/Catalog', '/Nothing')],
  ['no PDF header', 'a letter'],
])('withRebuiltTable: returns undefined for a file with %s', (_, text) => {
  expect(withRebuiltTable(bytes(text))).toBeUndefined();
});
