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

const NAMESPACE = 'http://www.loc.gov/standards/alto/ns-v4#';

/**
 * ALTO 4.4, in pixels of the picture after its EXIF orientation. A word written by a user is marked as corrected (`CS`) and
 * has no confidence; a word hyphenated at the end of a line has both its parts.
 */
export function writeAlto(pages: readonly WriterInput[]): string {
  const { name } = firstOf(pages).positionedText.picture;
  return `<?xml version="1.0" encoding="UTF-8"?>
<alto xmlns="${NAMESPACE}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="${NAMESPACE} http://www.loc.gov/standards/alto/v4/alto-4-4.xsd">
  <Description>
    <MeasurementUnit>pixel</MeasurementUnit>
    <sourceImageInformation>
      <fileName>${xml(name)}</fileName>
    </sourceImageInformation>
    <Processing ID="recognition">
      <processingCategory>contentGeneration</processingCategory>
      <processingSoftware>
        <softwareName>${xml(BRAND.name)}</softwareName>
      </processingSoftware>
    </Processing>
  </Description>
  <Layout>
${pages.map(({ positionedText }, index) => pageOf(positionedText, index + 1)).join('')}  </Layout>
</alto>
`;
}

function pageOf({ paragraphs, picture, languages }: PositionedText, number: number): string {
  const { width, height } = picture;
  const prefix = number === 1 ? '' : `page_${number}_`;
  const language = languages[0] ? ` LANG="${languages[0]}"` : '';
  const turns = quarterTurns(picture);
  const rotation = turns === 0 ? '' : ` ROTATION="${90 * turns}"`;
  let before: PositionedTextWord | null = null;
  const blocks = paragraphs.map((paragraph, index) => {
    const block = blockOf(paragraph, `${prefix}block_${index + 1}`, `${language}${rotation}`, before);
    before = paragraph.lines.at(-1)?.words.at(-1) ?? null;
    return block;
  });
  return `    <Page ID="page_${number}" PHYSICAL_IMG_NR="${number}" WIDTH="${width}" HEIGHT="${height}" PROCESSINGREFS="recognition">
      <PrintSpace ${placeOf({ x: 0, y: 0, width, height })}>
${blocks.join('')}      </PrintSpace>
    </Page>
`;
}

const placeOf = ({ x, y, width, height }: Box) =>
  `HPOS="${x}" VPOS="${y}" WIDTH="${width}" HEIGHT="${height}"`;

function blockOf(
  { box, lines }: PositionedTextParagraph,
  id: string,
  attributes: string,
  earlier: PositionedTextWord | null,
): string {
  let before = earlier;
  const written = lines.map((line, index) => {
    const next = lines[index + 1]?.words[0] ?? null;
    const element = lineOf(line, `${id}_line_${index + 1}`, before, next);
    before = line.words.at(-1) ?? null;
    return element;
  });
  return `        <TextBlock ID="${id}" ${placeOf(box)}${attributes}>
${written.join('')}        </TextBlock>
`;
}

function lineOf(
  { box, words }: PositionedTextLine,
  id: string,
  before: PositionedTextWord | null,
  next: PositionedTextWord | null,
): string {
  const written = words.map((word, index) => {
    const broken = index === 0 && before?.broken ? before : null;
    return `${stringOf(word, `${id}_word_${index + 1}`, broken, next)}${
      word.broken ? '            <HYP CONTENT="-"/>\n' : ''
    }${word.spaced && index < words.length - 1 ? '            <SP/>\n' : ''}`;
  });
  return `          <TextLine ID="${id}" ${placeOf(box)}>
${written.join('')}          </TextLine>
`;
}

/** `before`: the first part of the word whose second part this is. */
function stringOf(
  word: PositionedTextWord,
  id: string,
  before: PositionedTextWord | null,
  next: PositionedTextWord | null,
) {
  const withoutHyphen = (first: PositionedTextWord) => first.text.slice(0, -1);
  const parts =
    (word.broken && next && { type: 'HypPart1', whole: withoutHyphen(word) + next.text }) ||
    (before && { type: 'HypPart2', whole: withoutHyphen(before) + word.text });
  const attributes = [
    `ID="${id}"`,
    placeOf(word.box),
    `CONTENT="${xml(word.broken ? withoutHyphen(word) : word.text)}"`,
    ...(word.confidence === null ? ['CS="true"'] : [`WC="${(word.confidence / 100).toFixed(2)}"`]),
    ...(parts ? [`SUBS_TYPE="${parts.type}"`, `SUBS_CONTENT="${xml(parts.whole)}"`] : []),
  ];
  return `            <String ${attributes.join(' ')}/>\n`;
}
