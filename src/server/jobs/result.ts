import type { AnswerFormatId } from '#contract/answer-format';
import type { Extraction } from '#contract/extraction';
import { FORMATS } from '#contract/formats';
import type { Material } from '#formats/material';
import { transcriptOf } from '#formats/transcript';
import { loadWriter } from '#formats/writers';
import type { WrittenAnswer } from '../recognition/answer-format.ts';

/** A page that was read. */
export interface ReadPage {
  number: number;
  file: number;
  page: number;
  extraction: Extraction;
  /** Of its file. */
  name: string;
}

/** Between the texts of pages: what printers take for a new sheet. */
const FORM_FEED = '\f';

/**
 * One document of all pages, in their order.
 * @param pictureOf only for a PDF
 */
export async function writeResult(
  id: Exclude<AnswerFormatId, 'json'>,
  pages: readonly ReadPage[],
  pictureOf: (page: ReadPage) => Promise<Material['picture']>,
): Promise<WrittenAnswer> {
  if (id === 'text') {
    const content = pages.map(({ extraction }) => extraction.extractedText).join(`\n${FORM_FEED}`);
    return { mediaType: 'text/plain;charset=utf-8', extension: 'txt', content };
  }
  const { mediaType, extension } = FORMATS[id];
  const write = await loadWriter(id);
  const materials: Material[] = [];
  for (const page of pages) {
    const { extraction, name } = page;
    materials.push({
      transcript: transcriptOf({ extraction, name }),
      tables: [],
      picture: id === 'pdf' ? await pictureOf(page) : null,
    });
  }
  return { mediaType, extension, content: await write(materials) };
}
