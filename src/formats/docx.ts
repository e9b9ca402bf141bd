import { Document, Packer, Paragraph, TextRun } from 'docx';
import { BRAND } from '#contract/product';
import { withoutUnspeakable } from './markup.ts';
import { flowOf, runsLeftwards, type Transcript } from './transcript.ts';
import type { Material } from './writers.ts';

/** The text's paragraphs for a word processor; the lines of each as they stand, one below the other. */
export async function writeDocx(pages: readonly Material[]): Promise<Uint8Array> {
  const { picture, languages } = pages[0]!.transcript;
  const document = new Document({
    title: withoutUnspeakable(picture.name),
    creator: BRAND.name,
    styles: { default: { document: { run: { ...languageOf(languages), size: 22 } } } },
    sections: [
      {
        children: pages.flatMap(({ transcript }, page) =>
          paragraphsOf(transcript).map((lines, at) => paragraphOf(lines, page > 0 && at === 0)),
        ),
      },
    ],
  });
  return new Uint8Array(await Packer.toArrayBuffer(document));
}

/** A page without text is one all the same, or those behind it would move up. */
function paragraphsOf({ text }: Transcript): string[][] {
  const paragraphs = flowOf(text);
  return paragraphs.length > 0 ? paragraphs : [[]];
}

function paragraphOf(lines: readonly string[], opensPage: boolean): Paragraph {
  const leftwards = runsLeftwards(lines.join(' '));
  return new Paragraph({
    bidirectional: leftwards,
    pageBreakBefore: opensPage,
    spacing: { after: 160 },
    children: lines.map(
      (line, index) =>
        new TextRun({
          text: withoutUnspeakable(line),
          rightToLeft: leftwards,
          ...(index > 0 && { break: 1 }),
        }),
    ),
  });
}

function languageOf([tag = 'en']: Transcript['languages']) {
  return { language: { value: tag, eastAsia: tag, bidirectional: tag } };
}
