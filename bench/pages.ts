/**
 * `npm run bench:pages`: Lighthouse with its mobile preset on every page, against the built server; the start page and those
 * of an account also as premium. Each page runs `--rounds` times (5), and the median of each score counts; some twelve
 * seconds a run on an idle machine. `--only /,/blog` selects pages by prefix. Exits with 1 where a page misses a target. The
 * browser is headless: the cost of a window is not the page's, and on two cores without a graphics card it exceeds the
 * page's. `machine` is Lighthouse's own index of this machine's speed: its four-fold slowdown simulates a telephone at 1,500
 * to 2,000, and below 1,000 it reports the machine as too slow.
 */

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import lighthouse from 'lighthouse';
import { ensureBuilt } from '../scripts/bootstrap.mjs';
import { headlessChromiumPath } from '../scripts/test-programs.mjs';
import { freePort } from '../tests/support/free-port.ts';
import { answering } from './answering.ts';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    only: { type: 'string', default: '/' },
  },
});

const FOR_ALL = [
  '/',
  '/premium',
  '/blog',
  '/blog/reading-receipts',
  '/developers',
  '/languages',
  '/terms',
  '/privacy',
  '/refund-policy',
];

/** Pages that are opened by a link or from another site. */
const BY_LINK = ['/reset-password', '/verify-email', '/claim', '/demo-sign-in', '/unsubscribe'];

/** Lighthouse's scores, 0 to 100, and the layout shift, which has no unit. */
const TARGETS = { performance: 98, accessibility: 100, 'best-practices': 100, seo: 100 } as const;
type Category = keyof typeof TARGETS;
const CATEGORIES = Object.keys(TARGETS) as Category[];
const LARGEST_SHIFT = 0.02;
const MAX_ATTEMPTS = 3;

const FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

await ensureBuilt();
const dataDir = mkdtempSync(join(tmpdir(), 'glyphlift-pages-'));
const port = await freePort();
const server = spawn(process.execPath, ['dist/node/server/main.js'], {
  env: {
    ...process.env,
    NODE_ENV: 'production',
    PORT: String(port),
    DATA_DIR: dataDir,
    RATE_LIMIT_PER_MINUTE: '10000',
  },
  stdio: 'ignore',
});
let missed = 0;
try {
  const origin = `http://localhost:${port}`;
  await answering(`${origin}/readyz`);
  const member = await becomeMember(origin);
  const pages: Visit[] = [
    ...FOR_ALL.map((path) => ({ path, isPublic: true })),
    ...BY_LINK.map((path) => ({ path, isPublic: false })),
    { path: '/', isPublic: true, cookie: member.cookie },
    { path: '/account', isPublic: false, cookie: member.cookie },
    { path: `/account/texts/${member.text}`, isPublic: false, cookie: member.cookie },
  ];
  const wanted = options.only.split(',');
  for (const visit of pages.filter(({ path }) => wanted.some((start) => path.startsWith(start))))
    missed += await judge(origin, visit);
} finally {
  server.kill('SIGTERM');
  rmSync(dataDir, { recursive: true, force: true });
}
process.exitCode = missed === 0 ? 0 : 1;

interface Visit {
  path: string;
  /** Whether search engines may index the page. */
  isPublic: boolean;
  /** Cookie of the visitor. */
  cookie?: string;
}

/** Creates a premium user with a saved text. */
async function becomeMember(origin: string): Promise<{ cookie: string; text: string }> {
  const cookies = new Map<string, string>();
  const cookieNow = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const post = async (path: string, body: object) => {
    const answer = await fetch(origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: cookieNow() },
      body: JSON.stringify(body),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    return (await answer.json()) as { text?: { id: string } };
  };
  const [username, email, password] = ['lighthouse', 'lighthouse@example.org', 'harbour lights 7'];
  await post('/api/register', { username, email, password });
  await post('/api/payment/paypal', { email, amount: '4.99', currency: 'USD' });
  await post('/api/login', { username, password });
  const saved = await post('/api/texts', { name: 'Letter', text: 'Dear reader,', language: 'eng' });
  if (!saved.text) throw new Error('no user with premium for the account page');
  return { cookie: cookieNow(), text: saved.text.id };
}

/** Measures one page several times, prints a line, and returns the number of missed targets. */
async function judge(origin: string, visit: Visit): Promise<number> {
  const reports: Report[] = [];
  for (let round = 0; round < Number(options.rounds); round++) reports.push(await measure(origin, visit));
  const counted = CATEGORIES.filter((id) => id !== 'seo' || visit.isPublic);
  const scores = counted.map((id) => {
    const all = reports.map(({ categories }) => Math.round((categories[id]?.score ?? 0) * 100));
    return { id, all, score: median(all), isMissed: median(all) < TARGETS[id] };
  });
  const numbers = (id: string) => median(reports.map(({ audits }) => audits[id]?.numericValue ?? Number.NaN));
  const shift = numbers('cumulative-layout-shift');
  const times = ['largest-contentful-paint', 'total-blocking-time'].map((id) => Math.round(numbers(id)));
  console.log(
    [
      `${visit.path}${visit.cookie ? ' (premium)' : ''}`.padEnd(26),
      ...scores.map(({ id, score, isMissed }) => `${id} ${score}${isMissed ? ' (!)' : ''}`),
      `shift ${shift.toFixed(3)}  largest paint ${times[0]} ms  blocked ${times[1]} ms  machine ${Math.round(median(reports.map(({ environment }) => environment.benchmarkIndex)))}`,
    ].join('  '),
  );
  const failing = scores.filter(({ isMissed }) => isMissed);
  for (const { id, all, score } of failing) {
    const typical = reports[all.indexOf(score)]!;
    console.log(`    ${id} of ${all.join(', ')}: ${reasons(typical, id).join('; ')}`);
  }
  return failing.length + (shift < LARGEST_SHIFT ? 0 : 1);
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Measures a page once in a new browser. */
async function measure(origin: string, visit: Visit, attempt = 1): Promise<Report> {
  const debugPort = await freePort();
  const browser = await chromium.launch({
    executablePath: headlessChromiumPath(),
    args: [...FLAGS, `--remote-debugging-port=${debugPort}`],
  });
  try {
    const run = await lighthouse(origin + visit.path, {
      port: debugPort,
      logLevel: 'silent',
      ...(visit.cookie && { extraHeaders: { Cookie: visit.cookie } }),
    });
    if (!run) throw new Error(`Lighthouse gave no result for ${visit.path}`);
    // The browser sometimes records a trace without its start, which is invalid.
    if (run.lhr.runtimeError?.code === 'NO_NAVSTART' && attempt < MAX_ATTEMPTS)
      return measure(origin, visit, attempt + 1);
    if (run.lhr.runtimeError) throw new Error(`${visit.path}: ${run.lhr.runtimeError.code}`);
    return run.lhr;
  } finally {
    await browser.close();
  }
}

type Report = NonNullable<Awaited<ReturnType<typeof lighthouse>>>['lhr'];

/** The audits that lost points in a category. */
function reasons({ categories, audits }: Report, id: string): string[] {
  const refs = categories[id]?.auditRefs ?? [];
  return refs
    .filter(({ weight }) => weight > 0)
    .map((ref) => audits[ref.id])
    .filter((audit) => audit !== undefined && audit.score !== null && audit.score < 0.9)
    .map((audit) => `${audit?.title} ${audit?.displayValue ?? ''}`.trim());
}
