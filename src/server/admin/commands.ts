import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { User } from '../accounts/users.repository.ts';
import { addMonths } from '../billing/period.ts';
import type { Config } from '../config.ts';
import { backUp, type Counts, restore } from '../platform/backup.ts';
import type { Clock } from '../platform/clock.ts';
import { createLogger } from '../platform/logger.ts';
import { hasConfiguredKeys, retireKeys, rotateKeys } from '../platform/secrets.ts';
import { SQLITE_FILE } from '../platform/sqlite.ts';
import { type Database, openDatabase } from '../schema.ts';
import type { Services } from '../services.ts';

export interface AdminTools {
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'cookieKeys' | 'cookieKey'>;
  services: Services;
  database: Database;
  clock: Clock;
}

/** `data`: for `--json`; `text`: for people. */
interface CommandResult {
  data: unknown;
  text: string;
}

export interface Command {
  /** Syntax: `user show <PERSON>`. */
  usage: string;
  help: string;
  /** Flags and their help. */
  options?: readonly (readonly [flags: string, description: string])[];
  /** Destructive: requires `--yes`. */
  destructive?: boolean;
  /** Creates the database if it does not exist. */
  createsDatabase?: boolean;
  run(tools: AdminTools, args: readonly string[], options: Options): Promise<CommandResult>;
}

export interface Options {
  until?: string | undefined;
  months?: string | undefined;
}

/** The parsed command line. */
export interface Invocation {
  command: Command;
  args: readonly string[];
  options: Options & { json?: true; yes?: true };
}

/** A user error, such as an unknown user. The message is for the operator. */
export class AdminError extends Error {
  override name = 'AdminError';
}

/** An unknown or incomplete command. */
export class CommandLineError extends AdminError {
  override name = 'CommandLineError';
}

export const COMMANDS: readonly Command[] = [
  {
    usage: 'user find <TEXT>',
    help: 'people whose name or address contains the text, fifty at most',
    async run({ services }, [text = '']) {
      const rows = await services.accounts.search(text, 50);
      const lines = rows.map(
        ({ username, email, created_at }) => `${created_at.slice(0, 10)}  ${username}  ${email}`,
      );
      return { data: rows, text: lines.join('\n') || 'none' };
    },
  },
  {
    usage: 'user show <PERSON>',
    help: 'one person: name, address, subscription, storage, sessions',
    async run(tools, [person]) {
      const user = await findUser(tools, person);
      const { accounts, billing, sessions } = tools.services;
      const data = {
        id: user.id,
        username: user.username,
        email: user.email,
        emailVerifiedAt: user.email_verified_at,
        createdAt: user.created_at,
        hasPassword: user.password_hash !== null,
        signInProviders: await accounts.identities(user.id),
        secondFactor: await tools.services.secondFactor.status(user.id),
        storageBytes: user.storage_bytes,
        subscription: await billing.subscriptions.state(user.id),
        sessions: (await sessions.list({ userId: user.id, sessionId: '' })).length,
      };
      return { data, text: asTable(data) };
    },
  },
  {
    usage: 'user export <PERSON>',
    help: 'all stored data of a person, as JSON',
    async run(tools, [person]) {
      const { id } = await findUser(tools, person);
      const savedTexts: unknown[] = [];
      for await (const text of tools.services.texts.all(id)) savedTexts.push(text);
      const data = { ...(await tools.services.personalData(id)), savedTexts };
      return { data, text: JSON.stringify(data, null, 2) };
    },
  },
  {
    usage: 'user sign-out <PERSON>',
    help: 'ends every session of a person',
    async run(tools, [person]) {
      const user = await findUser(tools, person);
      const ended = await tools.database
        .deleteFrom('sessions')
        .where('user_id', '=', user.id)
        .executeTakeFirst();
      const count = Number(ended.numDeletedRows);
      return { data: { ended: count }, text: `${plural(count, 'session', 'sessions')} ended` };
    },
  },
  {
    usage: 'user remove-second-factor <PERSON>',
    help: 'turns two-step sign-in off for a user who has lost app and recovery codes. Verify who is asking first',
    destructive: true,
    async run(tools, [person]) {
      const user = await findUser(tools, person);
      if (!(await tools.services.secondFactor.remove(user.id))) {
        throw new AdminError(`${user.username} has no second factor`);
      }
      return { data: { removed: user.username }, text: `${user.username} signs in by password alone` };
    },
  },
  {
    usage: 'user delete <PERSON>',
    help: 'cancels the subscription and deletes the account with all its data',
    destructive: true,
    async run(tools, [person]) {
      const user = await findUser(tools, person);
      await tools.services.accountsService.deleteAccountOf(user.id);
      return { data: { deleted: user.username }, text: `${user.username} is deleted` };
    },
  },
  {
    usage: 'subscription show <PERSON>',
    help: 'the current subscription',
    async run(tools, [person]) {
      const data = await tools.services.billing.subscriptions.state((await findUser(tools, person)).id);
      return { data, text: data ? asTable(data) : 'never had one' };
    },
  },
  {
    usage: 'subscription grant <PERSON>',
    help: 'grants premium without a payment, for one month by default',
    options: [
      ['--months <N>', 'for this number of months'],
      ['--until <YYYY-MM-DD>', 'until the start of this day, UTC'],
    ],
    async run(tools, [person], options) {
      const user = await findUser(tools, person);
      const until = endOfGrant(options, tools.clock.now());
      await tools.services.billing.subscriptions.grant(user.id, until);
      return {
        data: { username: user.username, premiumUntil: until.toISOString() },
        text: `${user.username} has premium until ${until.toISOString().slice(0, 10)} (UTC)`,
      };
    },
  },
  {
    usage: 'subscription cancel <PERSON>',
    help: 'nothing more is collected; premium lasts until the period ends',
    async run(tools, [person]) {
      const user = await findUser(tools, person);
      await tools.services.billing.subscriptions.cancel(user.id);
      const data = await tools.services.billing.subscriptions.state(user.id);
      return { data, text: `cancelled; premium until ${data?.periodEnd.slice(0, 10)} (UTC)` };
    },
  },
  {
    usage: 'subscription refund <PERSON>',
    help: 'records a refund that you made at the provider: premium ends now, and nothing more is collected',
    destructive: true,
    async run(tools, [person]) {
      const user = await findUser(tools, person);
      await tools.services.billing.subscriptions.markRefunded(user.id);
      return { data: { username: user.username, status: 'ended' }, text: 'noted; premium has ended' };
    },
  },
  {
    usage: 'subscription unclaimed',
    help: 'payments that arrived after another account took their name or address; their payers have to choose others',
    async run({ database }) {
      const data = await database
        .selectFrom('payments')
        .innerJoin('registrations', 'registrations.id', 'payments.registration_id')
        .select([
          'payments.id',
          'payments.provider',
          'payments.reference',
          'payments.created_at',
          'username',
          'email',
        ])
        .where('status', '=', 'paid')
        .orderBy('payments.created_at')
        .execute();
      return { data, text: data.map(asTable).join('\n\n') || 'none' };
    },
  },
  {
    usage: 'waitlist list',
    help: 'the addresses on the waitlist, oldest first',
    async run({ services }) {
      const data = await services.waitlist.list();
      const lines = data.map(({ email, since }) => `${since.slice(0, 10)}  ${email}`);
      return { data, text: lines.join('\n') || 'none' };
    },
  },
  {
    usage: 'waitlist export',
    help: 'the waitlist as CSV with a header',
    async run({ services }) {
      const data = await services.waitlist.list();
      const lines = data.map(({ email, since }) => `${csv(email)},${since}`);
      return { data, text: ['email,since', ...lines].join('\n') };
    },
  },
  {
    usage: 'waitlist remove <EMAIL>',
    help: 'removes an address from the list',
    async run({ services }, [email]) {
      if (!email || !(await services.waitlist.remove(email)))
        throw new AdminError('no such address on the list');
      return { data: { removed: email }, text: `${email} is off the list` };
    },
  },
  {
    usage: 'database backup <FILE>',
    help: 'writes a consistent copy of the database into one SQLite file, with the servers running or not. The keys in secrets.json are not included',
    async run({ config, database }, [file = '']) {
      const rows = await withAdminErrors(
        backUp({ ...config, database, openFile: openSqliteIn, file: resolve(file) }),
      );
      return { data: { file, rows }, text: `${file} holds ${summaryOf(rows)}` };
    },
  },
  {
    usage: 'database restore <FILE>',
    help: 'restores a backup of SQLite or PostgreSQL into an empty database of either kind',
    createsDatabase: true,
    async run({ database }, [file = '']) {
      const rows = await withAdminErrors(restore({ database, openFile: openSqliteIn, file: resolve(file) }));
      return { data: { file, rows }, text: `restored ${summaryOf(rows)}` };
    },
  },
  {
    usage: 'keys rotate',
    help: 'creates a new signing key; signatures of older keys stay valid. Restart the servers afterwards',
    async run({ config }) {
      rejectConfiguredKeys(config);
      const { cookieKeys, cookieKey } = await rotateKeys(config.dataDir);
      const older = cookieKeys.length - 1 + (cookieKey === undefined ? 0 : 1);
      return {
        data: { older },
        text: `a new key signs once the servers are restarted; ${plural(older, 'older key stays', 'older keys stay')} valid`,
      };
    },
  },
  {
    usage: 'keys retire',
    help: 'deletes every key but the newest: use it a month after rotating, or at once if a key has leaked',
    destructive: true,
    async run({ config, services }) {
      rejectConfiguredKeys(config);
      for (const reseal of services.resealSecrets) await reseal();
      const retired = await retireKeys(config.dataDir);
      if (retired === 0) throw new AdminError('there is only one key: rotate first');
      return {
        data: { retired },
        text: `${plural(retired, 'key is', 'keys are')} deleted once the servers are restarted`,
      };
    },
  },
];

/**
 * With the wrong settings the tool must not create a new database: a backup of it would be empty but look like a backup of
 * the server's database.
 * @throws {AdminError}
 */
export function requireDatabase(
  { databaseUrl, dataDir }: Pick<Config, 'dataDir' | 'databaseUrl'>,
  { command }: Invocation,
): void {
  if (databaseUrl !== undefined || command.createsDatabase || existsSync(join(dataDir, SQLITE_FILE))) return;
  throw new AdminError(
    `there is no database in ${resolve(dataDir)}: run the tool with the server's settings, DATABASE_URL or DATA_DIR`,
  );
}

/** Runs a parsed command and returns its answer. @throws {AdminError} */
export async function execute(tools: AdminTools, { command, args, options }: Invocation): Promise<string> {
  const answer = await command.run(tools, args, options);
  return options.json ? JSON.stringify(answer.data, null, 2) : answer.text;
}

const openSqliteIn = (dataDir: string) =>
  openDatabase({ databaseUrl: undefined, dataDir, logger: createLogger('silent') });

/** Turns failures of backup and restore, which the operator can repair, into `AdminError`. */
async function withAdminErrors(work: Promise<Counts>): Promise<Counts> {
  try {
    return await work;
  } catch (error) {
    throw new AdminError(error instanceof Error ? error.message : String(error));
  }
}

function summaryOf(rows: Counts): string {
  const counts = Object.values(rows);
  return `${counts.reduce((sum, count) => sum + count, 0)} rows of ${counts.length} tables`;
}

function rejectConfiguredKeys(config: AdminTools['config']): void {
  if (hasConfiguredKeys(config))
    throw new AdminError('the keys come from the settings: change COOKIE_KEYS there');
}

async function findUser({ services }: AdminTools, person = ''): Promise<User> {
  const { accounts } = services;
  const user = (await accounts.findByLogin(person)) ?? (await accounts.find(person));
  if (!user) throw new AdminError(`there is no person "${person}"`);
  return user;
}

function endOfGrant({ until, months }: Options, now: Date): Date {
  if (until !== undefined && months !== undefined)
    throw new CommandLineError('give --months or --until, not both');
  if (until !== undefined) {
    const date = new Date(`${until}T00:00:00.000Z`);
    // `Date` takes February 31 as March 3.
    const isDay = !Number.isNaN(date.getTime()) && date.toISOString() === `${until}T00:00:00.000Z`;
    if (!isDay) throw new CommandLineError(`--until is an existing day such as 2027-01-31, not "${until}"`);
    if (date <= now) throw new CommandLineError('--until must lie in the future');
    return date;
  }
  const count = Number(months ?? '1');
  if (!Number.isInteger(count) || count < 1 || count > 120)
    throw new CommandLineError('--months is between 1 and 120');
  return addMonths(now, count);
}

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

function asTable(data: object): string {
  const entries = Object.entries(data);
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries
    .map(([name, value]) => {
      const shown =
        value !== null && typeof value === 'object' ? JSON.stringify(value) : String(value ?? '–');
      return `${name.padEnd(width)}  ${shown}`;
    })
    .join('\n');
}

/** Escapes cells that a spreadsheet would run as a formula. */
function csv(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
