/**
 * `npm run bench:tables`: measures the accuracy of table cells and code indentation, compared with the plain text. Exits with 1
 * if a figure has dropped below the recorded one, with 2 if it cannot run.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Recognition } from '#ocr';
import { type Cells, cellsOfText, countCells, countIndents, indentedLines, parseCsv } from './cells.ts';
import { BenchSetupError, type Case, half, loadSets, type PictureSet } from './corpus.ts';
import { addCounts, calibrationBins, f1, type Judged, type WordCounts } from './measure.ts';
import { createSubject, type Subject } from './subject.ts';

type LayoutTable = Recognition['layout']['tables'][number];

const HELP = `Measures tables and indentation.

  CORPUS_DIR=<folder> npm run bench:tables -- [options]

  --record      record this run in bench/tables.json
  --verbose     one line a picture

Pictures that have a NAME.csv beside them are measured by cells, those whose text keeps its indentation by lines. The first half
of each set by name is what settings were found on.
`;
const RECORD = fileURLToPath(new URL('./tables.json', import.meta.url));
/** The largest accepted drop of a figure. */
const TOLERANCE = 0.01;
/** Minimum confidence of a confident cell. */
const SURE = 0.8;

const { values: options } = parseArgs({
  options: {
    record: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

/** Rounded to three places, as recorded. */
interface Figures {
  cellF1: number;
  /** For the plain text of the same pictures, split at spaces. */
  plainCellF1: number;
  tables: number;
  found: number;
  /** Detected tables that are not in the ground truth. */
  further: number;
  /** Accuracy of the confident cells. */
  sureAndRight: number;
  sure: number;
  /** Share of the read lines with the right indentation. */
  indentsRight: number;
  /** The same share for the plain text, in which no line is indented. */
  plainIndentsRight: number;
}

async function main(): Promise<number> {
  const corpus = process.env.CORPUS_DIR;
  if (!corpus) throw new BenchSetupError('CORPUS_DIR says where the labelled pictures are.');
  const sets = loadSets(corpus).filter(({ name }) => /tables|screens/.test(name));
  const engine = createSubject();
  try {
    const report: Record<string, Figures> = {};
    for (const which of [0, 1]) {
      report[which === 0 ? 'tuned' : 'other'] = await figuresOf(
        engine,
        sets.map((set) => half(set, which)),
      );
    }
    console.table(report);
    return judge(report);
  } finally {
    await engine.close();
  }
}

async function figuresOf(engine: Subject, sets: readonly PictureSet[]): Promise<Figures> {
  const cells: WordCounts[] = [];
  const plain: WordCounts[] = [];
  const judged: Judged[] = [];
  const counts = { found: 0, further: 0, right: 0, lines: 0, flat: 0 };
  for (const one of sets.flatMap((set) => set.cases)) {
    const truth = cellsBeside(one);
    const indented = indentedLines(one.truth);
    const keeps = indented.filter(({ steps }) => steps > 0).length >= 2;
    if (!truth && !keeps) continue;
    const read = await engine.recognize(Uint8Array.from(await readFile(one.file)), {
      languages: one.languages ?? ['eng'],
    });
    if (truth) {
      const scored = read.layout.tables.map((table) => ({
        table,
        counts: countCells(cellsOf(read, table), truth),
      }));
      const best = scored.toSorted((a, b) => b.counts.hits - a.counts.hits)[0];
      const expected = truth.flat().filter((cell) => cell !== '').length;
      const counted = {
        hits: best?.counts.hits ?? 0,
        // The cells of tables that are not in the ground truth are wrong.
        read: scored.reduce((sum, each) => sum + each.counts.read, 0),
        expected,
      };
      cells.push(counted);
      plain.push(countCells(cellsOfText(read.text), truth));
      const isFound = best !== undefined && f1(best.counts) >= 0.5;
      counts.found += isFound ? 1 : 0;
      counts.further += scored.length - (isFound ? 1 : 0);
      for (const each of scored) judged.push(...judgedCells(read, each.table, each === best ? truth : []));
      if (options.verbose) console.log(`  ${one.name.padEnd(24)} cell F1 ${f1(counted).toFixed(3)}`);
    }
    if (keeps) {
      const steps = new Map(read.layout.indents.map((each) => [each.line, each.steps]));
      const lines = read.lines.map(({ text }, line) => ({ text, steps: steps.get(line) ?? 0 }));
      const indents = countIndents(lines, indented);
      counts.right += indents.right;
      counts.lines += indents.lines;
      counts.flat += countIndents(
        lines.map(({ text }) => ({ text, steps: 0 })),
        indented,
      ).right;
      if (options.verbose)
        console.log(`  ${one.name.padEnd(24)} indentation ${indents.right} of ${indents.lines}`);
    }
  }
  const sure = judged.filter(({ confidence }) => confidence >= SURE);
  if (options.verbose) console.table(calibrationBins(judged));
  return {
    cellF1: round(f1(addCounts(cells))),
    plainCellF1: round(f1(addCounts(plain))),
    tables: cells.length,
    found: counts.found,
    further: counts.further,
    sureAndRight: round(sure.filter(({ right }) => right).length / Math.max(1, sure.length)),
    sure: sure.length,
    indentsRight: round(counts.right / Math.max(1, counts.lines)),
    plainIndentsRight: round(counts.flat / Math.max(1, counts.lines)),
  };
}

function cellsBeside({ file }: Case): string[][] | undefined {
  const csv = file.replace(/\.\w+$/, '.csv');
  return existsSync(csv) ? parseCsv(readFileSync(csv, 'utf8')) : undefined;
}

function cellsOf({ lines }: Recognition, { rows, columns, cells }: LayoutTable): Cells {
  const texts = Array.from({ length: rows }, () => new Array<string>(columns).fill(''));
  for (const { row, column, words } of cells) {
    texts[row]![column] = words
      .flatMap(({ line, from, to }) => lines[line]!.words.slice(from, to).map(({ text }) => text))
      .join(' ');
  }
  return texts;
}

/** Judges each cell with text: it is right if the table has fewer hits without it. */
function judgedCells(read: Recognition, table: LayoutTable, truth: Cells): Judged[] {
  const texts = cellsOf(read, table);
  const all = countCells(texts, truth).hits;
  return table.cells.flatMap(({ row, column, confidence, words }) => {
    if (words.length === 0) return [];
    const without = texts.map((cells, y) => cells.map((text, x) => (y === row && x === column ? '' : text)));
    return [{ confidence, right: countCells(without, truth).hits < all }];
  });
}

/** The exit code. */
function judge(report: Record<string, Figures>): number {
  if (options.record) {
    writeFileSync(RECORD, `${JSON.stringify(report, null, 2)}\n`);
    console.log(`Recorded in ${RECORD}.`);
    return 0;
  }
  if (!existsSync(RECORD)) return 0;
  const recorded = JSON.parse(readFileSync(RECORD, 'utf8')) as Record<string, Figures>;
  const drops = Object.entries(report).flatMap(([which, figures]) =>
    (['cellF1', 'sureAndRight', 'indentsRight'] as const).flatMap((figure) => {
      const was = recorded[which]?.[figure] ?? 0;
      return figures[figure] < was - TOLERANCE ? [`${which}, ${figure} ${was} → ${figures[figure]}`] : [];
    }),
  );
  for (const drop of drops) console.error(`Worse than recorded: ${drop}`);
  return drops.length > 0 ? 1 : 0;
}

const round = (value: number) => Math.round(value * 1000) / 1000;

try {
  if (options.help) console.log(HELP);
  else process.exitCode = await main();
} catch (error) {
  if (!(error instanceof BenchSetupError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
