import type { Box } from '#contract/extraction';
import { BRAND } from '#contract/product';
import { firstOf } from './checked.ts';
import { xml } from './markup.ts';
import type {
  PositionedText,
  PositionedTextLine,
  PositionedTextParagraph,
  PositionedTextWord,
} from './positioned-text.ts';
import { quarterTurns } from './upright.ts';
import type { WriterInput } from './writer-input.ts';

/**
 * hOCR 1.2 as XHTML: page, area, paragraph, line, word, with boxes in pixels of the picture after its EXIF orientation. A
 * word written by a user has no confidence.
 */
export function writeHocr(pages: readonly WriterInput[]): string {
  const positionedTexts = pages.map(({ positionedText }) => positionedText);
  const { picture, languages } = firstOf(positionedTexts);
  const language = languages[0] ?? 'und';
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="${language}" lang="${language}">
 <head>
  <title>${xml(picture.name)}</title>
  <meta http-equiv="Content-Type" content="application/xhtml+xml; charset=utf-8" />
  <meta name="ocr-system" content="${xml(BRAND.name)}" />
  <meta name="ocr-capabilities" content="ocr_page ocr_carea ocr_par ocr_line ocrx_word ocrp_lang ocrp_wconf" />
  <meta name="ocr-number-of-pages" content="${positionedTexts.length}" />
  <meta name="ocr-langs" content="${languages.join(' ') || 'unknown'}" />
 </head>
 <body>
${positionedTexts.map(pageOf).join('')} </body>
</html>
`;
}

const pageOf = (
  positionedText: PositionedText,
  index: number,
) => `  <div class="ocr_page" id="page_${index + 1}" title="${pageTitle(positionedText, index)}">
${positionedText.paragraphs.map((paragraph, at) => areaOf(paragraph, `${index + 1}_${at + 1}`, positionedText)).join('')}  </div>
`;

const bbox = ({ x, y, width, height }: Box) => `bbox ${x} ${y} ${x + width} ${y + height}`;

/** hOCR has no escape for a quote in a quoted property. */
const pageTitle = ({ picture: { name, width, height } }: PositionedText, index: number) =>
  xml(`image "${name.replaceAll('"', "'")}"; ${bbox({ x: 0, y: 0, width, height })}; ppageno ${index}`);

function areaOf(
  { box, lines }: PositionedTextParagraph,
  number: string,
  { picture }: PositionedText,
): string {
  const angle = 90 * quarterTurns(picture);
  return `   <div class="ocr_carea" id="block_${number}" title="${bbox(box)}">
    <p class="ocr_par" id="par_${number}" title="${bbox(box)}">
${lines.map((line, index) => lineOf(line, `${number}_${index + 1}`, angle)).join('')}    </p>
   </div>
`;
}

const lineOf = ({ box, words }: PositionedTextLine, id: string, angle: number) =>
  `     <span class="ocr_line" id="line_${id}" title="${bbox(box)}${angle === 0 ? '' : `; textangle ${angle}`}">${words
    .map((word, index) => wordOf(word, `${id}_${index + 1}`))
    .join('')
    .trimEnd()}</span>
`;

const wordOf = ({ text, box, confidence, spaced }: PositionedTextWord, id: string) =>
  `<span class="ocrx_word" id="word_${id}" title="${bbox(box)}${confidence === null ? '' : `; x_wconf ${confidence}`}">${xml(text)}</span>${spaced ? ' ' : ''}`;
