/** Reads a region of a page separately, which finds smaller print than reading the whole page. */
import type { Box, Engine, Point, Recognition, Word } from '../../library/engine.ts';
import { ReadFailure } from '../documents.ts';

const PIXELS_PER_POINT = 300 / 72;
/** Maximum length of the longer side of a rendered page, in pixels. */
const MAX_SIDE = 10_000;

interface RegionOptions {
  page: number;
  box: Box;
  languages: readonly string[];
  signal: AbortSignal;
}

/** Boxes are in coordinates of the whole page. @throws {ReadFailure | OcrError} */
export async function readRegion(
  engine: Engine,
  document: Uint8Array,
  { page, box, languages, signal }: RegionOptions,
): Promise<{ recognition: Recognition; of: number }> {
  const { unit, pages } = await engine.pages(document, { signal });
  const size = pages[page - 1];
  if (!size) throw new ReadFailure('no_such_page', `it has ${pages.length} pages only`);
  const scale = unit === 'point' ? PIXELS_PER_POINT : 1;
  const [width, height] = [Math.floor(size.width * scale), Math.floor(size.height * scale)];
  const png = await engine.picture(document, { page, maxSide: MAX_SIDE, signal });
  const { default: sharp } = await import('sharp');
  const rendered = sharp(png, { limitInputPixels: false });
  const { width: renderedWidth, height: renderedHeight } = await rendered.metadata();
  const [scaleX, scaleY] = [renderedWidth / width, renderedHeight / height];
  const left = Math.max(0, Math.floor(box.x * scaleX));
  const top = Math.max(0, Math.floor(box.y * scaleY));
  const crop = {
    left,
    top,
    width: Math.min(renderedWidth, Math.ceil((box.x + box.width) * scaleX)) - left,
    height: Math.min(renderedHeight, Math.ceil((box.y + box.height) * scaleY)) - top,
  };
  if (crop.width < 1 || crop.height < 1)
    throw new ReadFailure(
      'no_such_region',
      `the region is outside the page, which has ${width} × ${height} pixels`,
    );
  const part = new Uint8Array(await rendered.extract(crop).png().toBuffer());
  const recognition = await engine.read(part, { languages, signal });
  const pointOnPage = ({ x, y }: Point): Point => ({
    x: Math.round((x + left) / scaleX),
    y: Math.round((y + top) / scaleY),
  });
  const onPage = ({ x, y, width: wide, height: high }: Box): Box => ({
    ...pointOnPage({ x, y }),
    width: Math.round(wide / scaleX),
    height: Math.round(high / scaleY),
  });
  return { recognition: moved(recognition, onPage, pointOnPage), of: pages.length };
}

function moved(
  recognition: Recognition,
  onPage: (box: Box) => Box,
  pointOnPage: (point: Point) => Point,
): Recognition {
  const move = <Placed extends { box: Box }>(placed: Placed): Placed => ({
    ...placed,
    box: onPage(placed.box),
  });
  const moveWord = ({ polygon, ...word }: Word): Word => ({
    ...move(word),
    ...(polygon && { polygon: polygon.map(pointOnPage) }),
  });
  const { tables, ...layout } = recognition.layout;
  return {
    ...recognition,
    lines: recognition.lines.map((line) => ({ ...move(line), words: line.words.map(moveWord) })),
    unread: recognition.unread.map(move),
    layout: { ...layout, tables: tables.map((table) => ({ ...move(table), cells: table.cells.map(move) })) },
  };
}
