/** `npm run fuzz`: mutated pictures, forms, calls and addresses against the real server, for as long as is asked for. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { FIXTURE_TEXT, fixture } from '../support/pictures.ts';
import { type Input, inputOf, type Question, uploadRequest } from './inputs.ts';
import type { SeedPicture } from './mutations.ts';
import { exchange, NoAnswer } from './raw-http.ts';
import { drawnPictures, realPictures } from './seed-pictures.ts';
import { type ServerUnderTest, startServerUnderTest } from './server-under-test.ts';
import {
  describeSummary,
  type Finding,
  type MemoryRecord,
  memoryFindings,
  type Outcome,
  type Summary,
  trendsOf,
} from './summary.ts';
import { judge, type Verdict } from './verdict.ts';

const USAGE = `npm run fuzz -- [--minutes 60] [--inputs N] [--seed N] [--in-flight 2] [--out FOLDER]
npm run fuzz -- --replay FOLDER/finding-1-extraction.http

CORPUS_DIR=FOLDER adds real pictures to the drawn ones that are mutated.`;

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    inputs: { type: 'string' },
    seed: { type: 'string' },
    'in-flight': { type: 'string', default: '2' },
    out: { type: 'string' },
    replay: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

/** Past the server's own limits for one picture and for letting go of it. */
const ANSWER_LIMIT_MS = 100_000;
const CONTROL_EVERY = 25;
const REAL_PICTURES = 60;
/** A run that finds this much has found out what there is to mend. */
const MAX_FINDINGS = 30;

class Run {
  readonly #seed: number;
  readonly #folder: string;
  readonly #pictures: readonly SeedPicture[];
  readonly #findings: Finding[] = [];
  readonly #byKind: Summary['byKind'] = {};
  readonly #memory: { server: MemoryRecord; recognizer: MemoryRecord } = {
    server: new Map(),
    recognizer: new Map(),
  };
  readonly #inFlight = new Map<number, Input>();
  #server: ServerUnderTest | undefined;
  #starting: Promise<ServerUnderTest> | undefined;
  #sent = 0;
  #mutated = 0;

  constructor(seed: number, folder: string, pictures: readonly SeedPicture[]) {
    this.#seed = seed;
    this.#folder = folder;
    this.#pictures = pictures;
  }

  async go(until: number, most: number, inFlight: number): Promise<Summary> {
    const startedAt = performance.now();
    await this.#checkSeeds();
    const goesOn = () =>
      performance.now() < until && this.#sent < most && this.#findings.length < MAX_FINDINGS;
    const worker = async () => {
      while (goesOn()) await this.#send(inputOf(this.#seed, this.#sent++, this.#pictures));
    };
    await Promise.all(Array.from({ length: inFlight }, worker));
    await this.#control();
    await this.#server?.stop();
    const memory = {
      server: trendsOf(this.#memory.server),
      recognizer: trendsOf(this.#memory.recognizer),
    };
    return {
      seed: this.#seed,
      minutes: (performance.now() - startedAt) / 60_000,
      inputs: this.#sent,
      pictures: this.#mutated,
      byKind: this.#byKind,
      findings: [
        ...this.#findings,
        ...memoryFindings(memory.server, 'server'),
        ...memoryFindings(memory.recognizer, 'recognition process'),
      ],
      memory,
    };
  }

  async #ready(): Promise<ServerUnderTest> {
    if (this.#server) return this.#server;
    this.#starting ??= startServerUnderTest();
    const server = await this.#starting;
    this.#starting = undefined;
    this.#server = server;
    server.onAlarm = (what) => {
      if (what.startsWith('the server ended')) this.#server = undefined;
      void this.#alarm(what);
    };
    return server;
  }

  /** A picture that is refused before anything was done to it would be mutated for nothing. */
  async #checkSeeds(): Promise<void> {
    const { port } = await this.#ready();
    for (const { name, bytes } of this.#pictures) {
      const verdict = await ask(port, 'preview', uploadRequest('preview', bytes));
      if (verdict.outcome !== 'result')
        console.log(`The seed picture ${name} is not read: ${inWords(verdict)}`);
    }
  }

  async #send(input: Input): Promise<void> {
    const { port } = await this.#ready();
    this.#inFlight.set(input.number, input);
    const verdict = await ask(port, input.question, input.request);
    this.#count(input, verdict.outcome);
    if (verdict.outcome === 'finding') await this.#found(input, verdict.what);
    this.#inFlight.delete(input.number);
    if (input.number % CONTROL_EVERY === CONTROL_EVERY - 1) await this.#control();
  }

  #count({ kind, picture }: Input, outcome: Outcome): void {
    this.#byKind[kind] ??= { result: 0, refused: 0, answered: 0, finding: 0 };
    this.#byKind[kind][outcome]++;
    if (picture && picture.steps.length > 0) this.#mutated++;
  }

  async #found(input: Input, what: string): Promise<void> {
    const file = await this.#keep(input);
    const server = await this.#ready();
    const log = [...server.failures()];
    const repeated = await ask(server.port, input.question, input.request);
    const finding: Finding = {
      input: input.number,
      what,
      story: input.story,
      file,
      again: repeated.outcome === 'finding',
    };
    this.#findings.push(finding);
    await writeFile(`${file}.json`, JSON.stringify({ ...finding, log }, null, 2));
    console.log(`FINDING ${what} (${input.story})${finding.again ? ', and again' : ''}`);
  }

  /** Something happened behind the answers: it came from one of the inputs that were on their way. */
  async #alarm(what: string): Promise<void> {
    const suspects = [...this.#inFlight.values()];
    console.log(`ALARM ${what}`);
    for (const input of suspects) {
      const file = await this.#keep(input);
      this.#findings.push({ input: input.number, what, story: input.story, file, again: false });
    }
    if (suspects.length === 0) {
      this.#findings.push({ input: null, what, story: 'between two inputs', file: null, again: false });
    }
  }

  async #keep({ number, question, request, picture }: Input): Promise<string> {
    await mkdir(this.#folder, { recursive: true });
    const file = join(this.#folder, `finding-${number}-${question}.http`);
    await writeFile(file, request);
    if (picture) await writeFile(join(this.#folder, `finding-${number}.${picture.format}`), picture.bytes);
    return file;
  }

  /** The server still reads what it read before, and what it holds is written down. */
  async #control(): Promise<void> {
    const server = await this.#ready();
    const problem = await controlProblem(server.port);
    if (problem !== undefined) {
      this.#findings.push({
        input: null,
        what: problem,
        story: `the control picture after ${this.#sent} inputs`,
        file: null,
        again: (await controlProblem(server.port)) !== undefined,
      });
    }
    const use = server.memory();
    for (const who of ['server', 'recognizer'] as const) {
      const now = use[who];
      if (!now) continue;
      const samples = this.#memory[who].get(now.pid) ?? [];
      samples.push({ inputs: this.#sent, bytes: now.resident });
      this.#memory[who].set(now.pid, samples);
    }
    const held = `${megabytes(use.server?.resident)} + ${megabytes(use.recognizer?.resident)} MB`;
    console.log(`${this.#sent} inputs, ${this.#findings.length} findings, ${held}`);
  }
}

async function controlProblem(port: number): Promise<string | undefined> {
  try {
    const request = uploadRequest('extraction', fixture('harbour-lights.png'));
    const { status, body } = await exchange(port, request, ANSWER_LIMIT_MS);
    const text = status === 200 ? JSON.parse(body.toString('utf8')).extractedText : undefined;
    return text === FIXTURE_TEXT ? undefined : `the control picture came back as ${status}: ${text ?? body}`;
  } catch (error) {
    return `the control picture got no answer: ${error}`;
  }
}

async function ask(port: number, question: Question, request: Buffer): Promise<Verdict> {
  try {
    return judge(question, await exchange(port, request, ANSWER_LIMIT_MS));
  } catch (error) {
    if (error instanceof NoAnswer) return { outcome: 'finding', what: `no answer: ${error.message}` };
    throw error;
  }
}

async function replay(file: string): Promise<number> {
  const question = /-(extraction|preview|call|address)\.http$/.exec(file)?.[1] as Question | undefined;
  if (!question) throw new Error(`${file} is not the file of a finding`);
  const server = await startServerUnderTest();
  let alarms = 0;
  server.onAlarm = (what) => {
    alarms++;
    console.log(`ALARM ${what}`);
  };
  const startedAt = performance.now();
  const verdict = await ask(server.port, question, await readFile(file));
  console.log(`${inWords(verdict)}, ${Math.round(performance.now() - startedAt)} ms`);
  for (const line of server.failures()) console.log(line);
  await server.stop();
  return verdict.outcome === 'finding' || alarms > 0 ? 1 : 0;
}

function inWords(verdict: Verdict): string {
  return verdict.outcome === 'finding' ? verdict.what : verdict.outcome;
}

const megabytes = (bytes = 0) => Math.round(bytes / 1e6);

async function main(): Promise<number> {
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  if (options.replay !== undefined) return replay(options.replay);
  const seed = Number(options.seed ?? Date.now() % 1_000_000);
  const folder = options.out ?? join('.cache', 'fuzz', `seed-${seed}`);
  const corpus = process.env.CORPUS_DIR || undefined;
  const pictures = [
    ...(await drawnPictures()),
    ...(await realPictures(corpus ?? 'bench/cases', REAL_PICTURES)),
  ];
  console.log(`Seed ${seed}, ${pictures.length} seed pictures; findings go to ${folder}`);
  const until = performance.now() + Number(options.minutes) * 60_000;
  const run = new Run(seed, folder, pictures);
  const summary = await run.go(
    until,
    Number(options.inputs ?? Number.POSITIVE_INFINITY),
    Number(options['in-flight']),
  );
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'summary.json'), JSON.stringify(summary, null, 2));
  console.log(`\n${describeSummary(summary)}`);
  return summary.findings.length === 0 ? 0 : 1;
}

process.exitCode = await main();
