import { expect, it } from 'vitest';
import type { Extraction, LayoutTable } from '#contract/extraction';
import { saveTextRequestSchema } from '#contract/saved-text';
import { mapText, piecesOf } from '#formats/pieces';
import note from '../../../tests/fixtures/extractions/note.json' with { type: 'json' };
import code from '../pages/home/samples/code.json' with { type: 'json' };
import type { RecognitionResult } from './reading.ts';
import { fromSavedWork, toSavedReading, toSavedWork } from './saved-reading.ts';
import type { TextState } from './text/text-history.ts';
import { toLayout } from './text/text-layout.ts';

it('saved reading: an edited table survives the request and is restored', () => {
  const extraction = note as Extraction;
  const box = { x: 0, y: 0, width: 10, height: 10 };
  const tables: LayoutTable[] = [{ box, confidence: 90, rows: 2, columns: 3, headerRows: 1, cells: [] }];
  const mapped = mapText(extraction.extractedText, piecesOf(extraction));
  const state: TextState = { mapped, layout: 'lines', lines: null, checked: new Set(), tables };
  const request = { name: 'Order', text: mapped.text, reading: { extraction, work: toSavedWork(state) } };
  const { reading } = saveTextRequestSchema.parse(JSON.parse(JSON.stringify(request)));
  expect(fromSavedWork(reading!, mapped.text)?.history.present.tables).toEqual(tables);
});

it('saved reading: unedited code keeps its Layout view and the position of each word', () => {
  const extraction = code as Extraction;
  const pieces = piecesOf(extraction);
  const page = { pieces, image: extraction.image };
  const shown = toLayout('page', mapText(extraction.extractedText, pieces), page);
  const reading = toSavedReading({ extraction, work: null } as RecognitionResult)!;
  const opened = fromSavedWork(reading, shown.mapped.text)?.history.present;
  expect(opened).toMatchObject({ layout: 'page', mapped: shown.mapped });
  expect(opened?.mapped.marks).toHaveLength(pieces.length);
});
