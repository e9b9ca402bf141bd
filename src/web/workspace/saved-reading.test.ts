import { expect, it } from 'vitest';
import type { Extraction, LayoutTable } from '#contract/extraction';
import { saveTextRequestSchema } from '#contract/saved-text';
import { mapText, piecesOf } from '#formats/pieces';
import note from '../../../tests/fixtures/extractions/note.json' with { type: 'json' };
import { openedWork, savedWork } from './saved-reading.ts';
import type { TextState } from './text/text-history.ts';

it('saved reading: the form that a table was given is sent, stored and opened again', () => {
  const extraction = note as Extraction;
  const box = { x: 0, y: 0, width: 10, height: 10 };
  const tables: LayoutTable[] = [{ box, confidence: 90, rows: 2, columns: 3, headerRows: 1, cells: [] }];
  const mapped = mapText(extraction.extractedText, piecesOf(extraction));
  const state: TextState = { mapped, layout: 'lines', lines: null, checked: new Set(), tables };
  const request = { name: 'Order', text: mapped.text, reading: { extraction, work: savedWork(state) } };
  const { reading } = saveTextRequestSchema.parse(JSON.parse(JSON.stringify(request)));
  expect(openedWork(reading!, mapped.text)?.history.present.tables).toEqual(tables);
});
