import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type LanguageFigures, readFigures, recordFigures, writeTable } from './record.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'glyphlift-figures-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const figures = (clean: number): LanguageFigures => ({
  data: 'system',
  clean: { glyphlift: clean, tesseract: 2 },
  worn: { glyphlift: 1, tesseract: 4 },
});

test('recordFigures: replaces the entries of recorded languages and keeps the others', () => {
  const file = join(folder, 'figures.json');
  recordFigures({ kan: figures(9.8), deu: figures(0) }, new Date('2026-11-22T10:00:00Z'), file);
  recordFigures({ kan: figures(3) }, new Date('2026-11-23T10:00:00Z'), file);
  expect(readFigures(file)).toEqual({
    recordedAt: '2026-11-23',
    languages: { deu: figures(0), kan: figures(3) },
  });
});

test('writeTable: writes the table between its markers, sorted by name, and keeps the rest of the page', () => {
  const page = join(folder, 'page.md');
  writeFileSync(
    page,
    '# Before\n\n<!-- languages: written by bench:languages -->\nold\n<!-- /languages -->\n\nAfter\n',
  );
  const languages = { deu: figures(0), afr: figures(3) };
  writeTable({ recordedAt: '2026-11-23', languages }, page);
  writeTable({ recordedAt: '2026-11-23', languages }, page);
  expect(readFileSync(page, 'utf8')).toBe(`# Before

<!-- languages: written by bench:languages -->

Measured on 2026-11-23: 2 languages. In the mean 1.5 % of letters are wrong in clean print (plain: 2.0 %) and 1.0 % in the worn copy (plain: 4.0 %).

| language | code | data | clean print | plain | worn copy | plain |
|---|---|---|---|---|---|---|
| Afrikaans | \`afr\` | system | 3.0 % | 2.0 % | 1.0 % | 4.0 % |
| German | \`deu\` | system | 0.0 % | 2.0 % | 1.0 % | 4.0 % |

<!-- /languages -->

After
`);
});
