/** The result of a run, for a report. */
import { type MemorySample, type MemoryTrend, trendOf } from './memory-trend.ts';

export type Outcome = 'result' | 'refused' | 'answered' | 'finding';

export interface Finding {
  /** Number of the input in its run; null where no single one can be named. */
  input: number | null;
  what: string;
  story: string;
  /** The request's file in the run's folder, to be replayed. */
  file: string | null;
  /** Whether the request reproduced the finding. */
  again: boolean;
}

export interface Summary {
  seed: number;
  minutes: number;
  inputs: number;
  /** Mutated pictures among them. */
  pictures: number;
  /** Outcomes by picture format, `form`, `call` and `address`. */
  byKind: Record<string, Record<Outcome, number>>;
  findings: Finding[];
  memory: { server: MemoryTrend[]; recognizer: MemoryTrend[] };
}

/** Growth of what is held for good, over a process' life, that is still no leak: large pictures leave holes. */
const GROWTH_LIMIT = 1.3;

/** Samples of processes that may have followed one another, by process id. */
export type MemoryRecord = Map<number, MemorySample[]>;

export function trendsOf(record: MemoryRecord): MemoryTrend[] {
  return [...record.values()].flatMap((samples) => trendOf(samples) ?? []);
}

/** The findings that memory alone makes. */
export function memoryFindings(trends: readonly MemoryTrend[], who: string): Finding[] {
  return trends
    .filter(({ from, to }) => to > GROWTH_LIMIT * from)
    .map(({ from, to }) => ({
      input: null,
      what: `the ${who}'s memory grows: from ${megabytes(from)} to ${megabytes(to)} MB`,
      story: '',
      file: null,
      again: false,
    }));
}

/** A table and two lines. */
export function describeSummary(summary: Summary): string {
  const { seed, minutes, inputs, pictures, byKind, findings, memory } = summary;
  const rows = Object.entries(byKind)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(
      ([kind, { result, refused, answered, finding }]) =>
        `| ${kind} | ${result + refused + answered + finding} | ${result} | ${refused} | ${answered} | ${finding} |`,
    );
  return [
    `Seed ${seed}, ${minutes.toFixed(1)} minutes, ${inputs} inputs, ${pictures} of them mutated pictures.`,
    '',
    '| kind | inputs | results | refused in words | answered | findings |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
    `Memory held, server: ${describeTrends(memory.server)}; recognition processes: ${describeTrends(memory.recognizer)}.`,
    findings.length === 0 ? 'No findings.' : `${findings.length} findings:`,
    ...findings.map(
      ({ input, what, story, file, again }) =>
        `- ${what} (input ${input ?? '–'}: ${story}) ${file ?? ''}${again ? ', seen again' : ''}`,
    ),
  ].join('\n');
}

function describeTrends(trends: readonly MemoryTrend[]): string {
  if (trends.length === 0) return 'too few samples';
  return trends
    .map(({ from, to, slope }) => {
      const perThousand = `${slope < 0 ? '−' : '+'}${megabytes(Math.abs(slope))} MB per 1,000 inputs`;
      return `${megabytes(from)} to ${megabytes(to)} MB (${perThousand})`;
    })
    .join(', ');
}

const megabytes = (bytes: number) => Math.round(bytes / 1e6);
