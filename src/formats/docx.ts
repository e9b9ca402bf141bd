import { Document, Packer, Paragraph, TextRun } from 'docx';
import { BRAND } from '#contract/product';
import { withoutUnspeakable } from './markup.ts';
import { flowOf, runsLeftwards, type Transcript } from './transcript.ts';
import type { Material } from './writers.ts';

/** The text's paragraphs for a word processor; the lines of each as they stand, one below the other. */
export async function writeDocx({ transcript }: Material): Promise<Uint8Array> {
  const { picture, text, languages } = transcript;
  const document = new Document({
    title: withoutUnspeakable(picture.name),
    creator: BRAND.name,
    styles: { default: { document: { run: { ...languageOf(languages), size: 22 } } } },
    sections: [{ children: flowOf(text).map(paragraphOf) }],
  });
  return new Uint8Array(await Packer.toArrayBuffer(document));
}

function paragraphOf(lines: readonly string[]): Paragraph {
  const leftwards = runsLeftwards(lines.join(' '));
  return new Paragraph({
    bidirectional: leftwards,
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
