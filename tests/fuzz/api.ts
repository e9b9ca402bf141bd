/** `npm run fuzz:api`: schemathesis asks every call, as the description for programs has it, of the real app. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { run } from '../../scripts/bootstrap.mjs';
import { createBrowser, createMember, PASSWORD } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/server-app.ts';

const USAGE = `npm run fuzz:api -- [--minutes 15] [--seed N]

The minutes are shared by a stranger, a free user, a premium user and a program with a key. Needs Python 3 with venv; schemathesis is installed
into .cache/schemathesis.`;

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '15' },
    seed: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

const VERSION = '4.32.5';
const FOLDER = resolve('.cache', 'schemathesis');
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];
/** Would end the session that the others need: schemathesis takes the session's id out of an answer. */
const SESSION_ENDING_CALLS = ['logout', 'endSession'];

/** Rate limits and quotas would end the run. */
const SETTINGS = {
  RATE_LIMIT_PER_MINUTE: '1000000',
  FREE_DAILY_LIMIT: '1000000',
  PREMIUM_MONTHLY_LIMIT: '1000000',
  ADDRESS_LIMIT_FACTOR: '100000',
};

async function ensureSchemathesis(): Promise<string> {
  const folder = join(FOLDER, VERSION);
  const program = join(folder, 'bin', 'schemathesis');
  if (existsSync(program)) return program;
  await run('python3', ['-m', 'venv', folder]);
  await run(join(folder, 'bin', 'pip'), ['install', '--quiet', `schemathesis==${VERSION}`]);
  return program;
}

/** The header that identifies a caller. */
async function headerOf({ app, services }: TestServer, who: string): Promise<string | undefined> {
  if (who === 'a stranger') return undefined;
  const browser = await createMember(app, who.replaceAll(' ', '-'));
  if (who === 'a free user') {
    const user = await services.accounts.findByLogin(who.replaceAll(' ', '-'));
    await services.billing.subscriptions.markRefunded(user?.id ?? '');
  }
  if (who === 'a program with a key') {
    const wanted = { name: 'Any', scopes: ['read', 'usage'], currentPassword: PASSWORD };
    const made = await browser.post('/api/account/keys', wanted);
    return `Authorization: Bearer ${made.json<{ secret: string }>().secret}`;
  }
  return `Cookie: ${[...browser.cookies].map((pair) => pair.join('=')).join('; ')}`;
}

async function main(): Promise<number> {
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  const program = await ensureSchemathesis();
  const people = ['a stranger', 'a free user', 'a premium user', 'a program with a key'];
  const seconds = Math.ceil((Number(options.minutes) * 60) / people.length);
  let failed = 0;
  for (const who of people) {
    const server = await startTestServer({ env: SETTINGS, clock: { now: () => new Date() } });
    await createBrowser(server.app).usage();
    const header = await headerOf(server, who);
    const url = await server.app.listen({ port: 0, host: '127.0.0.1' });
    console.log(`\n=== ${who}`);
    const args = [
      ['run', `${url}/api/openapi.json`, '--url', url, '--checks', CHECKS.join(',')],
      ['--max-time', String(seconds), '--phases', 'coverage,fuzzing', '--max-examples', '1000000'],
      ['--continue-on-failure', '--suppress-health-check', 'all', '--request-timeout', '20'],
      SESSION_ENDING_CALLS.flatMap((name) => ['--exclude-operation-id', name]),
      options.seed === undefined ? [] : ['--seed', options.seed],
      header === undefined ? [] : ['--header', header],
    ].flat();
    await run(program, args, { cwd: FOLDER }).catch(() => failed++);
    await server.close();
  }
  return failed === 0 ? 0 : 1;
}

process.exitCode = await main();
