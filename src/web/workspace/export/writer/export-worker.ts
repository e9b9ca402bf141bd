import type { FormatId } from '#contract/formats';
import type { Jpeg } from '#formats/jpeg';
import { positionedTextOf } from '#formats/positioned-text';
import type { WriterInput } from '#formats/writer-input';
import { loadWriter, needsTables } from '#formats/writers';
import { answerCalls } from '../../../workers/call-worker.ts';
import { foundTables, type TableSource } from '../../tables/found-tables.ts';

/** A web worker, because writing a long text would block the page. */

export interface ExportTask {
  id: FormatId;
  pages: readonly ExportPage[];
}

export interface ExportPage {
  text: TableSource;
  /** Whether the words have positions, which tables are found by. */
  hasPlaces: boolean;
  /** For formats that contain the picture; null for others. */
  picture: Jpeg | null;
}

export type ExportAnswer = string | Uint8Array<ArrayBuffer>;

answerCalls(writePages);

async function writePages({ id, pages }: ExportTask): Promise<ExportAnswer> {
  const write = await loadWriter(id);
  const content = await write(pages.map((page) => materialOf(id, page)));
  return typeof content === 'string' ? content : new Uint8Array(content);
}

function materialOf(id: FormatId, { text, hasPlaces, picture }: ExportPage): WriterInput {
  const positionedText = positionedTextOf(text);
  const tables =
    hasPlaces && needsTables(id) ? foundTables(text, positionedText).map(({ table }) => table) : [];
  return { positionedText, tables, picture };
}
