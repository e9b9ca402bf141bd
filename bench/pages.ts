/**
 * `npm run bench:pages`: Lighthouse with its mobile preset on the pages people land on, against the built server.
 * Ends with status 1 where a page misses a target.
 */

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import lighthouse from 'lighthouse';
import { ensureBuilt } from '../scripts/bootstrap.mjs';
import { chromiumPath } from '../scripts/system.mjs';
import { freePort } from '../tests/support/free-port.ts';
import { answering } from './answering.ts';

const PATHS = ['/', '/blog', '/blog/reading-receipts', '/premium', '/terms'];

/** Lighthouse's scores, 0 to 100, and the layout shift, which has no unit. */
const TARGETS = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 } as const;
const LARGEST_SHIFT = 0.02;
const MOST_ATTEMPTS = 3;

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
  await answering(`http://localhost:${port}/readyz`);
  for (const path of PATHS) missed += await measure(path);
} finally {
  server.kill('SIGTERM');
  rmSync(dataDir, { recursive: true, force: true });
}
process.exitCode = missed === 0 ? 0 : 1;

/** Measures one page in a browser of its own, prints a line, and returns how many targets it misses. */
async function measure(path: string, attempt = 1): Promise<number> {
  const debugPort = await freePort();
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: [...FLAGS, `--remote-debugging-port=${debugPort}`],
  });
  try {
    const run = await lighthouse(`http://localhost:${port}${path}`, {
      port: debugPort,
      logLevel: 'silent',
    });
    if (!run) throw new Error(`Lighthouse gave no result for ${path}`);
    // The browser now and then records a trace without its beginning: that is no measurement, good or bad.
    if (run.lhr.runtimeError?.code === 'NO_NAVSTART' && attempt < MOST_ATTEMPTS)
      return measure(path, attempt + 1);
    const { categories, audits } = run.lhr;
    const shift = audits['cumulative-layout-shift']?.numericValue ?? Number.NaN;
    const scores = Object.entries(TARGETS).map(([id, target]) => {
      const score = Math.round((categories[id]?.score ?? 0) * 100);
      return { id, score, isMissed: score < target };
    });
    const failing = scores.filter(({ isMissed }) => isMissed);
    const line = scores
      .map(({ id, score, isMissed }) => `${id} ${score}${isMissed ? ' (!)' : ''}`)
      .join('  ');
    console.log(`${path.padEnd(26)}${line}  shift ${shift.toFixed(3)}`);
    for (const { id } of failing) console.log(`    ${id}: ${reasons(run.lhr, id).join('; ')}`);
    return failing.length + (shift < LARGEST_SHIFT ? 0 : 1);
  } finally {
    await browser.close();
  }
}

type Report = NonNullable<Awaited<ReturnType<typeof lighthouse>>>['lhr'];

/** The audits that cost a category its points. */
function reasons({ categories, audits }: Report, id: string): string[] {
  const refs = categories[id]?.auditRefs ?? [];
  return refs
    .filter(({ weight }) => weight > 0)
    .map((ref) => audits[ref.id])
    .filter((audit) => audit !== undefined && audit.score !== null && audit.score < 0.9)
    .map((audit) => `${audit?.title} ${audit?.displayValue ?? ''}`.trim());
}
