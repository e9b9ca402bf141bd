import type { FormatId } from '#contract/formats';
import type { Jpeg } from '#formats/jpeg';
import { transcriptOf } from '#formats/transcript';
import type { WriterInput } from '#formats/writer-input';
import { loadWriter, needsTables } from '#formats/writers';
import { answerCalls } from '../../../workers/call-worker.ts';
import { foundTables, type TableSource } from '../../tables/found-tables.ts';

/** Runs as a worker of the browser: writing a long text takes longer than a page may be blocked. */

export interface ExportTask {
  id: FormatId;
  pages: readonly ExportPage[];
}

export interface ExportPage {
  text: TableSource;
  /** Tables are seen by where their words stand. */
  hasPlaces: boolean;
  /** For formats that hold the picture itself; null for the others. */
  picture: Jpeg | null;
}

export type ExportAnswer = string | Uint8Array<ArrayBuffer>;

answerCalls(written);

async function written({ id, pages }: ExportTask): Promise<ExportAnswer> {
  const write = await loadWriter(id);
  const content = await write(pages.map((page) => materialOf(id, page)));
  return typeof content === 'string' ? content : new Uint8Array(content);
}

function materialOf(id: FormatId, { text, hasPlaces, picture }: ExportPage): WriterInput {
  const transcript = transcriptOf(text);
  const tables = hasPlaces && needsTables(id) ? foundTables(text, transcript).map(({ table }) => table) : [];
  return { transcript, tables, picture };
}
