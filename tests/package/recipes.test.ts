import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pythonPath } from '../../scripts/test-programs.mjs';
import { scanPage } from '../support/documents.ts';
import { pdfOf } from '../support/pdf.ts';
import { FIXTURE_TEXT, fixture } from '../support/pictures.ts';
import { InstalledPackage } from './installed.ts';

/** The recipes of docs/programs.md, with the installed package. */

const RECIPES = join(import.meta.dirname, '..', '..', 'docs', 'recipes');

let installed: InstalledPackage;
const at = (...path: string[]) => join(installed.project, ...path);

beforeAll(async () => {
  installed = await InstalledPackage.create();
  await installed.install();
  await writeFile(at('scan.pdf'), pdfOf([await scanPage()]));
});
afterAll(() => installed?.remove());

const run = (program: string, args: readonly string[], more: NodeJS.ProcessEnv = {}) =>
  installed.run(program, args, { GLYPHLIFT: `${process.execPath} ${installed.main}`, ...more });

async function textOf(pdf: string): Promise<string> {
  const document = await getDocumentProxy(new Uint8Array(await readFile(pdf)));
  const { text } = await extractText(document, { mergePages: true });
  return text.trim().replaceAll(/\s+/g, ' ');
}

describe('paperless-pre-consume.sh', () => {
  const consume = (name: string) =>
    run('bash', [join(RECIPES, 'paperless-pre-consume.sh')], { DOCUMENT_WORKING_PATH: name });

  it('adds a text layer to a scanned PDF, the same bytes for the same file', async () => {
    await copyFile(at('scan.pdf'), at('first.pdf'));
    await copyFile(at('scan.pdf'), at('-second.pdf'));
    for (const name of ['first.pdf', '-second.pdf']) {
      const { status, stderr } = await consume(at(name));
      expect([status, stderr]).toEqual([0, '']);
    }
    expect(await textOf(at('first.pdf'))).toBe(FIXTURE_TEXT.replace('\n', ' '));
    expect(await readFile(at('-second.pdf'))).toEqual(await readFile(at('first.pdf')));
  });

  it('does not change images and broken PDFs, and lets paperless continue', async () => {
    const broken = new TextEncoder().encode('%PDF-1.7 and nothing else');
    for (const [name, bytes, said] of [
      ['image.png', fixture('harbour-lights.png'), ''],
      ['broken.pdf', broken, 'consumed as it is'],
    ] as const) {
      await writeFile(at(name), bytes);
      const { status, stderr } = await consume(at(name));
      expect(status).toBe(0);
      expect(stderr).toContain(said);
      expect(new Uint8Array(await readFile(at(name)))).toEqual(new Uint8Array(bytes));
    }
  });
});

it('ocrmypdf_glyphlift.py: OCRmyPDF adds the text that Glyphlift reads', async () => {
  expect((await run(pythonPath(), ['-m', 'venv', 'environment'])).status).toBe(0);
  const bin = (name: string) => at('environment', 'bin', name);
  const got = await run(bin('pip'), ['install', '--quiet', 'ocrmypdf==17.13.0']);
  expect([got.status, got.status === 0 ? '' : got.stderr]).toEqual([0, '']);
  const plugin = ['--plugin', join(RECIPES, 'ocrmypdf_glyphlift.py')];
  const made = await run(bin('ocrmypdf'), [...plugin, '--output-type', 'pdf', 'scan.pdf', 'searchable.pdf']);
  expect([made.status, made.status === 0 ? '' : made.stderr]).toEqual([0, '']);
  expect(await textOf(at('searchable.pdf'))).toBe(FIXTURE_TEXT.replace('\n', ' '));
  const refused = await run(bin('ocrmypdf'), [...plugin, '--language', 'xyz', 'scan.pdf', 'none.pdf']);
  expect(refused.status).not.toBe(0);
});
