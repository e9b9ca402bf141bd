/** Collects the result of every recognition step of a picture, and renders them as a self-contained page. */
import sharp from 'sharp';
import type { Filtered } from '../src/ocr/layout/filter.ts';
import type { ReadFragment } from '../src/ocr/layout/place.ts';
import type { TextRegion } from '../src/ocr/page/detect.ts';
import { median, type Region } from '../src/ocr/page/geometry.ts';
import type { Orientation } from '../src/ocr/page/orient.ts';
import type { Picture } from '../src/ocr/picture/picture.ts';
import type { GrayImage } from '../src/ocr/picture/pixels.ts';
import type { WordStory } from '../src/ocr/reading/fuse.ts';
import { cropFor, type LineReadings } from '../src/ocr/reading/recognize.ts';
import type { Glyph, PageReader } from '../src/ocr/reading/recognizer.ts';
import type { Trace } from '../src/ocr/trace.ts';
import type { Line, Recognition, Word } from '../src/ocr/types.ts';

/** The events of a trace, and the time of each step. */
export class Explanation implements Trace {
  readonly steps: { name: string; milliseconds: number }[] = [];
  picture!: Picture;
  regions: readonly TextRegion[] = [];
  page!: Orientation<TextRegion>;
  reader!: PageReader;
  lines: readonly LineReadings[] = [];
  readonly stories = new Map<LineReadings, WordStory[]>();
  readonly fragments = new Map<LineReadings, ReadFragment>();
  inOrder: readonly Line[] = [];
  result!: Filtered;
  #since = performance.now();

  decoded(picture: Picture): void {
    this.picture = picture;
    this.#done('decode');
  }
  found(regions: readonly TextRegion[]): void {
    this.regions = regions;
    this.#done('find lines');
  }
  oriented(page: Orientation<TextRegion>): void {
    this.page = page;
    this.#done('find which way is up');
  }
  read(reader: PageReader, lines: readonly LineReadings[]): void {
    this.reader = reader;
    this.lines = lines;
    this.#done('read');
  }
  chose(line: LineReadings, word: WordStory): void {
    this.stories.set(line, [...(this.stories.get(line) ?? []), word]);
  }
  placed(line: LineReadings, fragment: ReadFragment): void {
    this.fragments.set(line, fragment);
  }
  ordered(lines: readonly Line[]): void {
    this.inOrder = lines;
    this.#done('choose and order');
  }
  filtered(result: Filtered): void {
    this.result = result;
    this.#done('filter');
  }
  laidOut(): void {
    this.#done('tell the layout');
  }

  #done(name: string): void {
    const now = performance.now();
    this.steps.push({ name, milliseconds: now - this.#since });
    this.#since = now;
  }
}

/** Maximum width of the embedded picture, in pixels. */
const WIDEST = 1400;

/** @param name of the picture */
export async function pageOf(name: string, seen: Explanation, recognition: Recognition): Promise<string> {
  const { picture } = seen;
  const numberOf = new Map<Word, number>();
  for (const [index, line] of seen.inOrder.entries()) {
    for (const word of line.words) numberOf.set(word, index + 1);
  }
  const kept = new Set(seen.result.lines.flatMap(({ words }) => words));
  const isHidden = (word: Word) => !kept.has(word);
  const numbersOf = (line: LineReadings) =>
    [...new Set(seen.fragments.get(line)?.words.map((word) => numberOf.get(word) ?? 0))].sort(
      (a, b) => a - b,
    );
  const rows = seen.lines.toSorted((a, b) => (numbersOf(a)[0] ?? 1e9) - (numbersOf(b)[0] ?? 1e9));
  const crops = await Promise.all(rows.map(async (line) => grayUri(cropFor(seen.reader, line.image))));
  const total = seen.steps.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  const { width, height, rotation } = recognition.image;
  const looked = seen.lines.filter(({ checks }) => checks.length > 0).length;
  const facts = [
    `${width} × ${height} pixels`,
    ...(rotation ? [`turned by ${rotation}°`] : []),
    `${seen.regions.length} lines found`,
    `${looked} looked at twice`,
    `read by ${seen.reader.name}`,
    recognition.language,
    `confidence ${percent(recognition.confidence)}`,
    `${Math.round(total)} ms`,
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, dropCap-scale=1">
<title>How ${escaped(name)} was read</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>How <b>${escaped(name)}</b> was read</h1>
<p class="facts">${facts.map((fact) => `<span>${escaped(fact)}</span>`).join('')}</p>
</header>
<section aria-labelledby="times"><h2 id="times">Times</h2>
<ol class="times">${seen.steps.map((step) => timeBar(step, total)).join('')}</ol>
<p class="note">The first picture of a process: later ones find everything warm.</p></section>
<section aria-labelledby="page"><h2 id="page">The page</h2>
<div class="layers">
<input type="checkbox" id="show-found" checked><label for="show-found"><i class="swatch found"></i>lines found</label>
<input type="checkbox" id="show-words"><label for="show-words"><i class="swatch words"></i>words, by confidence</label>
<input type="checkbox" id="show-order" checked><label for="show-order"><i class="swatch order"></i>order</label>
<figure><svg viewBox="0 0 ${picture.width} ${picture.height}" role="img" aria-label="The picture with the lines found on it" style="--unit:${unitOf(seen)}px">
<image href="${await pictureUri(picture)}" width="${picture.width}" height="${picture.height}"/>
<g class="found">${seen.page.regions.map(outline).join('')}</g>
<g class="words">${seen.inOrder.flatMap(({ words }) => words.map((word) => wordBox(word, picture, isHidden(word)))).join('')}</g>
<g class="order">${orderMarks(seen.inOrder, picture, unitOf(seen))}</g>
</svg></figure>
</div></section>
<section aria-labelledby="lines"><h2 id="lines">Lines, in the order of reading</h2>
<p class="note">A character's color is how sure its recognizer is:
<span class="scale"><i style="background:${colorOf(0)}"></i>unsure<i style="background:${colorOf(0.6)}"></i>
<i style="background:${colorOf(0.9)}"></i><i style="background:${colorOf(1)}"></i>sure</span>.
Each word shows what was chosen, and how likely it is right.</p>
<ol class="lines">${rows.map((line, index) => lineItem(line, numbersOf(line), crops[index]!, seen, isHidden)).join('')}</ol></section>
<section aria-labelledby="outcome"><h2 id="outcome">What came of it</h2>
<pre>${escaped(recognition.text) || '<i>no text</i>'}</pre>
${list(
  'Left out',
  recognition.hidden.map(({ text, reason, confidence }) => `${text} (${reason}, ${percent(confidence)})`),
)}
${list(
  'Said about the picture',
  recognition.notices.map(({ message }) => message),
)}
</section>
</body>
</html>
`;
}

function lineItem(
  line: LineReadings,
  numbers: readonly number[],
  crop: string,
  seen: Explanation,
  isHidden: (word: Word) => boolean,
): string {
  const words = seen.stories.get(line) ?? [];
  const hidden = (seen.fragments.get(line)?.words ?? []).filter(isHidden).map(({ text }) => text);
  const checks = line.checks.map(
    ({ from, to, reading }) =>
      `<dt>second<small>${from.toFixed(1)} – ${to.toFixed(1)}</small></dt><dd>${glyphs(reading.glyphs)}</dd>`,
  );
  return `<li id="line-${numbers[0] ?? 0}">
<div class="number">${numbers.length > 0 ? numbers.join(', ') : '–'}</div>
<div class="line"><div class="crop"><img src="${crop}" alt=""></div>
<dl><dt>first</dt><dd>${glyphs(line.first.glyphs)}</dd>${checks.join('')}
<dt>chosen</dt><dd class="chosen">${words.map(wordStory).join('') || '<i class="none">no text</i>'}${
    hidden.length > 0 ? `<span class="tag">left out: ${escaped(hidden.join(' '))}</span>` : ''
  }</dd></dl></div></li>`;
}

function glyphs(read: readonly Glyph[]): string {
  if (read.length === 0) return '<i class="none">nothing</i>';
  const shown = read.map(({ text, confidence, startsWord }, index) => {
    const glyph = `<span style="--sure:${colorOf(confidence)}" title="${percent(confidence)}">${escaped(text)}</span>`;
    return startsWord && index > 0 ? ` ${glyph}` : glyph;
  });
  return `<span class="glyphs">${shown.join('')}</span>`;
}

function wordStory({ evidence, scrutiny, chosen, text, confidence }: WordStory): string {
  const { first, second } = evidence;
  const tags = [
    ...(scrutiny === 'checked' && first !== second
      ? [`${chosen === first ? second || 'nothing' : first || 'nothing'} by the other`]
      : []),
    ...(text !== chosen && chosen !== '' ? [`mended from ${chosen}`] : []),
    ...(chosen === '' ? ['no text'] : []),
  ];
  return `<span class="word" style="--sure:${colorOf(confidence)}"><b>${escaped(text || first || second)}</b>
<small>${chosen === '' ? '' : percent(confidence)}</small>${tags.map((tag) => `<span class="tag">${escaped(tag)}</span>`).join('')}</span>`;
}

/** The corners of a region, and the center line of a curved one. */
function outline(region: Region): string {
  const { cx, cy, width, height, angle, spine } = region;
  const degrees = (angle * 180) / Math.PI;
  const middle = spine?.map(({ x, y }) => `${round(x)},${round(y)}`).join(' ');
  const box = `<rect x="${round(cx - width / 2)}" y="${round(cy - height / 2)}" width="${round(width)}" height="${round(height)}" transform="rotate(${degrees.toFixed(2)} ${round(cx)} ${round(cy)})"/>`;
  return middle ? `${box}<polyline points="${middle}"/>` : box;
}

function wordBox({ text, confidence, box }: Word, { scale }: Picture, hidden: boolean): string {
  const [x, y, width, height] = [box.x, box.y, box.width, box.height].map((length) => round(length * scale));
  const title = `${text}: ${percent(confidence)}${hidden ? ', left out' : ''}`;
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" style="--sure:${colorOf(confidence)}"${hidden ? ' class="hidden"' : ''}><title>${escaped(title)}</title></rect>`;
}

/** A number before each line, and the path from one to the next. */
function orderMarks(lines: readonly Line[], { scale }: Picture, unit: number): string {
  const points = lines.map(({ words }) => {
    const { x, y, height } = words[0]!.box;
    return { x: round(Math.max(unit, x * scale - unit)), y: round((y + height / 2) * scale) };
  });
  const way = `<polyline points="${points.map(({ x, y }) => `${x},${y}`).join(' ')}"/>`;
  const marks = points.map(
    ({ x, y }, index) =>
      `<a href="#line-${index + 1}"><circle cx="${x}" cy="${y}"/><text x="${x}" y="${y}">${index + 1}</text></a>`,
  );
  return way + marks.join('');
}

const timeBar = ({ name, milliseconds }: { name: string; milliseconds: number }, total: number): string =>
  `<li><span>${name}</span><i style="width:${((100 * milliseconds) / total).toFixed(1)}%"></i><span>${milliseconds.toFixed(0)} ms</span></li>`;

const list = (title: string, items: readonly string[]): string =>
  items.length === 0
    ? ''
    : `<h3>${title}</h3><ul>${items.map((item) => `<li>${escaped(item)}</li>`).join('')}</ul>`;

/** Size of the marks in pixels of the processed image: about the height of a letter. */
function unitOf({ picture, page }: Explanation): number {
  return round(Math.max(picture.width / 120, 0.5 * median(page.regions.map(({ height }) => height))));
}

async function pictureUri({ rgb, width, height }: Picture): Promise<string> {
  const image = sharp(Buffer.from(rgb.buffer, rgb.byteOffset, rgb.byteLength), {
    raw: { width, height, channels: 3 },
    limitInputPixels: false,
  });
  const bytes = await image
    .resize({ width: WIDEST, withoutEnlargement: true })
    .jpeg({ quality: 82 })
    .toBuffer();
  return `data:image/jpeg;base64,${bytes.toString('base64')}`;
}

async function grayUri({ gray, width, height }: GrayImage): Promise<string> {
  const bytes = await sharp(Uint8Array.from(gray), { raw: { width, height, channels: 1 } })
    .png({ palette: true, colours: 16 })
    .toBuffer();
  return `data:image/png;base64,${bytes.toString('base64')}`;
}

/** A color from red over amber to green; most of the scale is between .9 and 1. */
function colorOf(chance: number): string {
  const hue = Math.round(140 * Math.max(0, Math.min(1, chance)) ** 3);
  return `hsl(${hue} 70% 36%)`;
}

const round = (value: number): number => Math.round(value * 10) / 10;
const percent = (chance: number): string => `${Math.round(chance * 100)} %`;
const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (mark) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[mark]!);

const STYLE = `
:root{color-scheme:light;--ink:#16212e;--soft:#465060;--paper:#f7f4ec;--sheet:#fff;--rule:#d9d3c3;--found:#0b6bcb;--way:#b3261e}
*{box-sizing:border-box}
body{margin:0 auto;padding:2rem clamp(1rem,4vw,3rem) 4rem;max-width:84rem;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
h1{font-size:1.6rem;font-weight:500;margin:0 0 .5rem;overflow-wrap:anywhere}h2{font-size:1.15rem;margin:2.5rem 0 .75rem}h3{font-size:1rem;margin:1.25rem 0 .25rem}
.facts{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:0;color:var(--soft)}
.note{color:var(--soft);font-size:.9rem;margin:.25rem 0 1rem}
.times{list-style:none;margin:0;padding:0;max-width:44rem}
.times li{display:grid;grid-template-columns:11rem 1fr 5rem;gap:.75rem;align-items:center;font-size:.9rem}
.times i{display:block;height:.6rem;min-width:2px;background:var(--found);border-radius:2px}
.times span:last-child{text-align:right;font-variant-numeric:tabular-nums;color:var(--soft)}
.layers label{display:inline-flex;align-items:center;gap:.4rem;margin:0 1.25rem .75rem .4rem;font-size:.9rem}
.layers input{accent-color:var(--ink);vertical-align:-.1rem}
.swatch{width:.9rem;height:.9rem;border-radius:2px;border:2px solid var(--found)}.swatch.words{border-color:hsl(100 70% 36%)}.swatch.order{border-radius:50%;background:var(--way);border-color:var(--way)}
figure{margin:0;background:var(--sheet);border:1px solid var(--rule);border-radius:4px;overflow:hidden}
svg{display:block;width:min(100%,60rem);margin:auto}
svg rect,svg polyline{fill:none;stroke-width:calc(var(--unit)/7)}
.found rect{stroke:var(--found);fill:#0b6bcb14}.found polyline{stroke:var(--found);stroke-dasharray:calc(var(--unit)/3)}
.words rect{stroke:var(--sure);fill:color-mix(in srgb,var(--sure) 22%,transparent)}.words rect.hidden{stroke-dasharray:calc(var(--unit)/3)}
.order polyline{stroke:var(--way);opacity:.45}.order circle{r:calc(var(--unit)*.75);fill:var(--way)}
.order text{fill:#fff;font:600 calc(var(--unit)*.75) system-ui,sans-serif;text-anchor:middle;dominant-baseline:central}
#show-found:not(:checked)~figure .found,#show-words:not(:checked)~figure .words,#show-order:not(:checked)~figure .order{display:none}
.lines{list-style:none;margin:0;padding:0;border-top:1px solid var(--rule)}
.lines>li{display:grid;grid-template-columns:3rem minmax(0,1fr);gap:.5rem;padding:.9rem 0;border-bottom:1px solid var(--rule)}
.lines>li:target{background:#fff6cf}
.number{font-weight:600;color:var(--way);font-variant-numeric:tabular-nums}
.crop{overflow-x:auto;background:var(--sheet);border:1px solid var(--rule);border-radius:3px;width:fit-content;max-width:100%}.crop img{display:block;height:2.25rem;width:auto;max-width:none}
dl{display:grid;grid-template-columns:4.5rem minmax(0,1fr);gap:.2rem .75rem;margin:.5rem 0 0}
dt{color:var(--soft);font-size:.85rem;line-height:1.75}dt small{display:block;line-height:1.2}dd{margin:0;overflow-wrap:anywhere}
.glyphs{font:1rem/1.6 ui-monospace,monospace}.glyphs span{color:var(--sure);border-bottom:2px solid var(--sure)}
.chosen{display:flex;flex-wrap:wrap;gap:.35rem}
.word{display:inline-flex;align-items:baseline;gap:.35rem;padding:0 .45rem;background:var(--sheet);border:1px solid var(--rule);border-left:4px solid var(--sure);border-radius:3px}
.word small{color:var(--soft);font-size:.75rem;font-variant-numeric:tabular-nums}
.tag{background:#efe9d9;border-radius:3px;padding:0 .35rem;font-size:.8rem;align-self:center}
.none{color:var(--soft)}
.scale{white-space:nowrap}.scale i{display:inline-block;width:1rem;height:.6rem;margin:0 .25rem}
pre{background:var(--sheet);border:1px solid var(--rule);border-radius:4px;padding:1rem;white-space:pre-wrap;overflow-wrap:anywhere;font:inherit}
@media(max-width:40rem){.times li{grid-template-columns:7rem 1fr 4rem}dl{grid-template-columns:1fr}.lines>li{grid-template-columns:2rem minmax(0,1fr)}}
`;
