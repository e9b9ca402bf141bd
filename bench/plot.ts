/**
 * `npm run bench:plots`: writes the plots of a run to docs/images and its tables to docs/benchmark.md.
 * Reads the JSON of `npm run bench`: `npm run bench:plots -- [.cache/bench/report.json]`.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ReaderSummary, SetReport } from './accuracy.ts';
import { f1 } from './measure.ts';
import { comparedSets, comparisons, type Report, readersOf, turnLosses } from './report.ts';

const DOCS = fileURLToPath(new URL('../docs', import.meta.url));
const INK = '#1d2433';
const QUIET = '#8a8577';
const RULE = '#e2dccb';
const PAPER = '#fbf8f0';
const MARKER = '#f5c518';

interface Canvas {
  width: number;
  height: number;
  parts: string[];
}

function canvas(width: number, height: number, title: string, subtitle: string): Canvas {
  const page = { width, height, parts: [] };
  text(page, 24, 34, title, { size: 17, weight: 600 });
  text(page, 24, 54, subtitle, { ink: QUIET });
  return page;
}

interface TextStyle {
  size?: number;
  weight?: number;
  ink?: string;
  anchor?: 'start' | 'middle' | 'end';
}

function text(page: Canvas, x: number, y: number, words: string, style: TextStyle = {}): void {
  const { size = 13, weight = 400, ink = INK, anchor = 'start' } = style;
  const safe = words.replace(/&/g, '&amp;').replace(/</g, '&lt;');
  page.parts.push(
    `<text x="${n(x)}" y="${n(y)}" font-size="${size}" font-weight="${weight}" fill="${ink}" text-anchor="${anchor}">${safe}</text>`,
  );
}

function rect(
  page: Canvas,
  x: number,
  y: number,
  width: number,
  height: number,
  fill: string,
  stroke = 'none',
): void {
  page.parts.push(
    `<rect x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}" fill="${fill}" stroke="${stroke}"/>`,
  );
}

function line(page: Canvas, x1: number, y1: number, x2: number, y2: number, stroke: string, dash = ''): void {
  page.parts.push(
    `<line x1="${n(x1)}" y1="${n(y1)}" x2="${n(x2)}" y2="${n(y2)}" stroke="${stroke}" stroke-dasharray="${dash}"/>`,
  );
}

function dot(page: Canvas, x: number, y: number, radius: number, fill: string, label: string): void {
  const safe = label.replace(/&/g, '&amp;').replace(/</g, '&lt;');
  page.parts.push(
    `<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" fill="${fill}" stroke="${INK}" stroke-width="0.8"><title>${safe}</title></circle>`,
  );
}

function svg({ width, height, parts }: Canvas, description: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${description}" font-family="Instrument Sans, Helvetica Neue, Arial, sans-serif">
<rect width="${width}" height="${height}" rx="8" fill="${PAPER}"/>
${parts.join('\n')}
</svg>
`;
}

const n = (value: number) => Math.round(value * 10) / 10;

/** Pairs of bars for each set: this engine in yellow, the plain program as an outline. */
function drawPairs(
  sets: readonly SetReport[],
  heading: { title: string; subtitle: string },
  scale: { most: number; ticks: readonly number[]; format: (value: number) => string },
  pick: (reader: NonNullable<SetReport['plain']>) => number,
): string {
  const [left, right, top, pitch] = [170, 660, 84, 56];
  const page = canvas(740, top + sets.length * pitch + 40, heading.title, heading.subtitle);
  const bottom = top + sets.length * pitch;
  const x = (value: number) => left + ((right - left) * Math.min(value, scale.most)) / scale.most;
  for (const tick of scale.ticks) {
    line(page, x(tick), top - 8, x(tick), bottom - 8, RULE);
    text(page, x(tick), bottom + 12, scale.format(tick), { ink: QUIET, anchor: 'middle', size: 12 });
  }
  for (const [i, set] of sets.entries()) {
    const y = top + i * pitch;
    text(page, left - 12, y + 22, set.name, { anchor: 'end' });
    const own = pick(set.engine);
    rect(page, left, y, x(own) - left, 18, MARKER, INK);
    text(page, x(own) + 6, y + 14, scale.format(own), { weight: 600 });
    if (!set.plain) continue;
    const plain = pick(set.plain);
    rect(page, left, y + 21, x(plain) - left, 14, 'none', QUIET);
    text(page, x(plain) + 6, y + 33, scale.format(plain), { ink: QUIET });
  }
  return svg(page, heading.title);
}

/** A scatter plot with a dot per picture: the plain program's word F1 against this engine's. */
function drawPictures(sets: readonly SetReport[]): string {
  const [left, top, side] = [130, 84, 400];
  const page = canvas(
    660,
    top + side + 70,
    'Every picture, word by word',
    'Word F1 of plain tesseract (across) and of Glyphlift (up); above the line it reads more',
  );
  const x = (value: number) => left + side * value;
  const y = (value: number) => top + side * (1 - value);
  for (const tick of [0, 0.25, 0.5, 0.75, 1]) {
    line(page, x(tick), y(0), x(tick), y(1), RULE);
    line(page, x(0), y(tick), x(1), y(tick), RULE);
    text(page, x(tick), y(0) + 18, tick.toFixed(2), { ink: QUIET, anchor: 'middle', size: 12 });
    text(page, x(0) - 8, y(tick) + 4, tick.toFixed(2), { ink: QUIET, anchor: 'end', size: 12 });
  }
  line(page, x(0), y(0), x(1), y(1), QUIET, '4 4');
  for (const set of sets) {
    for (const one of set.cases) {
      if (one.plainF1 === null) continue;
      const own = f1(one.counts);
      dot(
        page,
        x(one.plainF1),
        y(own),
        4.5,
        MARKER,
        `${set.name} ${one.name}: ${own.toFixed(3)}, plain ${one.plainF1.toFixed(3)}`,
      );
    }
  }
  text(page, x(0.5), y(0) + 42, 'plain tesseract', { anchor: 'middle' });
  return svg(page, 'Word F1 of every picture, Glyphlift against plain tesseract');
}

/** A reliability diagram: confidence against accuracy, for the words of all sets. */
function drawCalibration(sets: readonly SetReport[]): string {
  const [left, top, side] = [150, 84, 360];
  const page = canvas(
    660,
    top + side + 70,
    'Does “90 % sure” mean nine in ten?',
    'Stated confidence of words (across), share that was right (up); a dot’s area: how many words',
  );
  const x = (value: number) => left + side * value;
  const y = (value: number) => top + side * (1 - value);
  for (const tick of [0, 0.25, 0.5, 0.75, 1]) {
    line(page, x(tick), y(0), x(tick), y(1), RULE);
    line(page, x(0), y(tick), x(1), y(tick), RULE);
    text(page, x(tick), y(0) + 18, percent(tick), { ink: QUIET, anchor: 'middle', size: 12 });
    text(page, x(0) - 8, y(tick) + 4, percent(tick), { ink: QUIET, anchor: 'end', size: 12 });
  }
  line(page, x(0), y(0), x(1), y(1), QUIET, '4 4');
  const bins = mergedBins(sets);
  const most = Math.max(1, ...bins.map((bin) => bin.words));
  for (const bin of bins) {
    const label = `${bin.words} words stated at ${percent(bin.stated)}: ${percent(bin.right)} right`;
    dot(page, x(bin.stated), y(bin.right), 3 + 15 * Math.sqrt(bin.words / most), MARKER, label);
  }
  text(page, x(0.5), y(0) + 42, 'stated confidence', { anchor: 'middle' });
  return svg(page, 'Calibration of word confidence');
}

function mergedBins(sets: readonly SetReport[]): { words: number; stated: number; right: number }[] {
  const sums = new Map<number, { words: number; stated: number; right: number }>();
  for (const bin of sets.flatMap((set) => set.calibration.bins)) {
    const sum = sums.get(bin.from) ?? { words: 0, stated: 0, right: 0 };
    sum.words += bin.words;
    sum.stated += bin.stated * bin.words;
    sum.right += bin.right * bin.words;
    sums.set(bin.from, sum);
  }
  return [...sums.values()].map(({ words, stated, right }) => ({
    words,
    stated: stated / words,
    right: right / words,
  }));
}

/** Loss of word F1 by the rotation of a page. */
function drawTurns(losses: ReturnType<typeof turnLosses>): string {
  const [left, right, top, height] = [80, 620, 84, 200];
  const page = canvas(
    660,
    top + height + 60,
    'What a crooked picture costs',
    'Loss of word F1 on the labelled pages, by how they were turned; up to .02 is allowed',
  );
  const most = Math.max(0.025, ...losses.map((one) => one.loss * 1.1));
  const y = (value: number) => top + height * (1 - Math.max(0, value) / most);
  for (const tick of [0, 0.005, 0.02]) {
    line(page, left, y(tick), right, y(tick), RULE, tick === 0.02 ? '4 4' : '');
    text(page, left - 8, y(tick) + 4, tick.toFixed(3), { ink: QUIET, anchor: 'end', size: 12 });
  }
  const step = (right - left) / Math.max(1, losses.length);
  for (const [i, { degrees, loss }] of losses.entries()) {
    const x = left + i * step;
    rect(page, x + step * 0.2, y(loss), step * 0.6, Math.max(1, y(0) - y(loss)), MARKER, INK);
    text(page, x + step / 2, y(0) + 20, `${degrees}°`, { anchor: 'middle', size: 12 });
  }
  return svg(page, 'Loss of word F1 by the angle a page was turned');
}

/** A row per set with a dot per reader; this engine in yellow, the others in the order of their columns. */
function drawReaders(sets: readonly SetReport[]): string {
  const [left, right, top, pitch] = [170, 700, 112, 30];
  const bottom = top + sets.length * pitch;
  const page = canvas(
    740,
    bottom + 36,
    'Beside other free readers',
    'Word F1 by set, the same pictures in the same run; 1 is perfect',
  );
  const x = (value: number) => left + (right - left) * value;
  for (const tick of [0, 0.25, 0.5, 0.75, 1]) {
    line(page, x(tick), top - 14, x(tick), bottom - 14, RULE);
    text(page, x(tick), bottom + 8, tick.toFixed(2), { ink: QUIET, anchor: 'middle', size: 12 });
  }
  const names = readersOf(sets[0]!).map(([name]) => name);
  const inkOf = (name: string) => INKS[names.indexOf(name) % INKS.length]!;
  let across = 24;
  for (const name of names) {
    dot(page, across + 5, 80, 5, inkOf(name), name);
    text(page, across + 15, 84, name, { size: 12 });
    across += 32 + name.length * 6.6;
  }
  for (const [i, set] of sets.entries()) {
    const y = top + i * pitch;
    text(page, left - 12, y + 4, set.name, { anchor: 'end', size: 12 });
    line(page, left, y, right, y, RULE);
    // This engine is drawn last, so that its dot is on top.
    for (const [name, reader] of readersOf(set).reverse()) {
      dot(page, x(reader.f1), y, name === names[0] ? 6 : 4.5, inkOf(name), labelOf(set, name, reader));
    }
  }
  return svg(page, 'Word F1 of each set by reader');
}

const INKS = [MARKER, '#ffffff', QUIET, '#3f6f8f', '#8fb3c9', '#b5553a'];

const labelOf = (set: SetReport, name: string, reader: ReaderSummary) =>
  `${set.name}, ${name}: ${reader.f1.toFixed(3)}`;

const percent = (value: number) => `${Math.round(value * 100)} %`;

const hidden = ({ filter }: Pick<SetReport, 'filter'>) => `${(filter.loss * 100).toFixed(2)} %`;
const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** The part of docs/benchmark.md between its two markers. */
function tables(report: Report): string {
  const { machine, sets } = report;
  const rows = sets.map((set) => {
    const plain = (pick: (reader: NonNullable<SetReport['plain']>) => number) =>
      set.plain ? pick(set.plain).toFixed(3) : '–';
    return `| ${set.name} (${set.pictures}) | **${set.engine.f1.toFixed(3)}** | ${plain((p) => p.f1)} | **${set.engine.cer.toFixed(3)}** | ${plain((p) => p.cer)} | ${set.worst.name} ${set.worst.f1.toFixed(3)} | ${(set.engine.p50 / 1000).toFixed(2)} / ${(set.engine.p95 / 1000).toFixed(2)} | ${set.timeRatio?.toFixed(2) ?? '–'} | ${set.calibration.gap.toFixed(3)} | ${hidden(set)} |`;
  });
  const lines = [
    `Measured on ${report.at.slice(0, 10)} with ${machine.cores} cores (${machine.cpu}), Node ${machine.node.slice(1)}, tesseract ${machine.tesseract ?? 'not run'}.`,
    '',
    '| set (pictures) | word F1 | plain | CER | plain | hardest picture | p50 / p95 s | time × plain | calibration gap | true words hidden |',
    '|---|---|---|---|---|---|---|---|---|---|',
    ...rows,
  ];
  const compared = comparedSets(sets);
  if (compared.length > 0) {
    lines.push('', '![Word F1 by set and reader](images/benchmark-readers.svg)');
    lines.push('', '[bench/README.md](../bench/README.md#other-readers) describes the other readers.');
    for (const { figure, rows } of comparisons(sets)) {
      const [head = [], ...body] = rows;
      const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
      lines.push('', `**${capital(figure)}**`, '', row(head), row(head.map(() => '---')), ...body.map(row));
    }
    const trusted = compared.flatMap((set) => (set.before ? [{ set, before: set.before }] : []));
    if (trusted.length > 0) {
      lines.push(
        '',
        '**Confidence and filtering, before and now**',
        '',
        '| set | calibration gap | before | true words hidden | before |',
        '|---|---|---|---|---|',
        ...trusted.map(
          ({ set, before }) =>
            `| ${set.name} | ${set.calibration.gap.toFixed(3)} | ${before.calibration.gap.toFixed(3)} | ${hidden(set)} | ${hidden(before)} |`,
        ),
      );
    }
  }
  const { throughput, peakMemory } = report;
  if (throughput) {
    const runs = throughput.engine
      .map((run) => `${run.perSecond.toFixed(2)} with ${run.inFlight}`)
      .join(', ');
    lines.push(
      '',
      `Pictures a second with several in flight: ${runs}; two plain tesseract processes side by side: ${throughput.plainPair?.toFixed(2) ?? 'not run'}.`,
    );
  }
  if (peakMemory !== null)
    lines.push('', `Peak memory of the process that recognizes: ${Math.round(peakMemory / 1e6)} MB.`);
  return lines.join('\n');
}

const MARKERS = { begin: '<!-- figures: written by bench:plots -->', end: '<!-- /figures -->' };

function main(): void {
  const report = JSON.parse(readFileSync(process.argv[2] ?? '.cache/bench/report.json', 'utf8')) as Report;
  const upright = report.sets.filter((set) => !/-(turned|photographed)$/.test(set.name));
  const losses = turnLosses(report.sets);
  const compared = comparedSets(report.sets);
  const images: Record<string, string> = {
    'benchmark-accuracy.svg': drawPairs(
      upright,
      {
        title: 'Words read right',
        subtitle: 'Word F1 by set: Glyphlift in yellow, plain tesseract in outline; 1 is perfect',
      },
      { most: 1, ticks: [0, 0.25, 0.5, 0.75, 1], format: (value) => value.toFixed(3) },
      (reader) => reader.f1,
    ),
    'benchmark-order.svg': drawPairs(
      upright,
      {
        title: 'Characters wrong, reading order included',
        subtitle: 'CER by set: Glyphlift in yellow, plain tesseract in outline; 0 is perfect',
      },
      { most: 0.4, ticks: [0, 0.1, 0.2, 0.3, 0.4], format: (value) => value.toFixed(3) },
      (reader) => reader.cer,
    ),
    'benchmark-pictures.svg': drawPictures(upright),
    'benchmark-calibration.svg': drawCalibration(report.sets),
    ...(compared.length > 0 ? { 'benchmark-readers.svg': drawReaders(compared) } : {}),
    ...(losses.length > 0 ? { 'benchmark-turned.svg': drawTurns(losses) } : {}),
  };
  mkdirSync(join(DOCS, 'images'), { recursive: true });
  for (const [name, image] of Object.entries(images)) writeFileSync(join(DOCS, 'images', name), image);
  const page = join(DOCS, 'benchmark.md');
  const before = readFileSync(page, 'utf8');
  const [begin, end] = [before.indexOf(MARKERS.begin), before.indexOf(MARKERS.end)];
  if (begin < 0 || end < begin) throw new Error(`${page} lacks the markers that the tables go between`);
  writeFileSync(
    page,
    `${before.slice(0, begin + MARKERS.begin.length)}\n\n${tables(report)}\n\n${before.slice(end)}`,
  );
  console.log(`${Object.keys(images).length} plots and the tables of docs/benchmark.md written.`);
}

main();
