import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import Libsql from 'libsql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBrowser, createMember } from '../../../tests/support/people.ts';
import { createVisitor, startTestServer, type TestServer } from '../../../tests/support/server-app.ts';
import {
  createTestDatabase,
  type DatabaseKind,
  type TestDatabase,
} from '../../../tests/support/server-databases.ts';
import { execute } from './commands.ts';
import { parseCommandLine } from './parser.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'glyphlift-backups-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function run(testDatabase: TestDatabase, { services, database }: TestServer, line: string) {
  const { dataDir, databaseUrl } = testDatabase;
  const config = { dataDir, databaseUrl, cookieKeys: undefined, cookieKey: undefined };
  const clock = { now: () => new Date() };
  return JSON.parse(
    await execute({ config, services, database, clock }, parseCommandLine([...line.split(' '), '--json'])!),
  );
}

/** Queries rows of a backup file. */
function rowsOfBackup<T>(file: string, query: string): T[] {
  const backup = new Libsql(file, { readonly: true });
  const rows = backup.prepare(query).all() as T[];
  backup.close();
  return rows;
}

describe.each<[DatabaseKind, DatabaseKind]>([
  ['sqlite', 'sqlite'],
  ['postgres', 'postgres'],
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
])('a backup of %s', (from, into) => {
  let testDatabase: TestDatabase;
  let server: TestServer;
  let file: string;
  beforeAll(async () => {
    testDatabase = await createTestDatabase(from);
    server = await startTestServer({ testDatabase });
    file = join(folder, `${from}-${into}.backup`);
    const nora = await createMember(server.app, 'nora');
    const text = { name: 'Notice', text: 'The ferry sails at six – “at six”, says she.\n\nSeven boats.' };
    expect((await nora.post('/api/texts', text)).statusCode).toBe(201);
    expect((await nora.upload()).statusCode).toBe(200);
  });
  afterAll(async () => {
    await server.close();
    await testDatabase.remove();
  });

  it(`restores into an empty ${into} with all accounts and texts, even if it was taken during writes`, async () => {
    let writing = true;
    const written: string[] = [];
    const writes = (async () => {
      for (let at = 0; writing; at++) {
        // Each write creates two related rows, or none.
        const answer = await createVisitor(server.app, `203.0.113.${at % 200}`).upload();
        written.push(String(answer.statusCode));
      }
    })();
    const { rows } = await run(testDatabase, server, `database backup ${file}`);
    writing = false;
    await writes;
    expect(new Set(written)).toEqual(new Set(['200']));
    expect(rows).toMatchObject({ users: 1, saved_texts: 1 });

    const empty = await createTestDatabase(into);
    const restored = await startTestServer({ testDatabase: empty });
    expect(await run(empty, restored, `database restore ${file}`)).toEqual({ file, rows });
    const nora = createBrowser(restored.app);
    expect((await nora.login('nora')).json()).toMatchObject({ user: { username: 'nora', isPremium: true } });
    expect(await nora.usage()).toMatchObject({ imageCount: 1 });
    const { texts } = (await nora.get('/api/texts')).json();
    expect((await nora.get(`/api/texts/${texts[0].id}`)).json().text).toMatchObject({
      name: 'Notice',
      text: 'The ferry sails at six – “at six”, says she.\n\nSeven boats.',
    });
    // The restored server is writable.
    expect((await nora.upload()).statusCode).toBe(200);
    expect(await nora.usage()).toMatchObject({ imageCount: 2 });
    await expect(run(empty, restored, `database restore ${file}`)).rejects.toThrow(
      'the database is not empty',
    );
    await restored.close();
    await empty.remove();
  });

  it('backup: creates one complete file that only its owner can read, and overwrites no existing file', async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await readdir(folder)).filter((name) => name.startsWith(`${from}-${into}`))).toEqual([
      `${from}-${into}.backup`,
    ]);
    expect(rowsOfBackup(file, 'pragma integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    expect(rowsOfBackup(file, 'pragma foreign_key_check')).toEqual([]);
    const before = await stat(file);
    await expect(run(testDatabase, server, `database backup ${file}`)).rejects.toThrow('exists already');
    expect((await stat(file)).mtimeMs).toBe(before.mtimeMs);
  });
});

describe('a backup', () => {
  it('of a newer version is rejected, and nothing is restored', async () => {
    const testDatabase = await createTestDatabase('sqlite');
    const server = await startTestServer({ testDatabase });
    const file = join(folder, 'newer.backup');
    await run(testDatabase, server, `database backup ${file}`);
    const backup = new Libsql(file);
    backup.exec("insert into migrations values ('9999-later', '2030-01-01')");
    backup.close();
    await expect(run(testDatabase, server, `database restore ${file}`)).rejects.toThrow(
      /newer version .*9999-later/,
    );
    await server.close();
    await testDatabase.remove();
  });

  it('leaves no file after a failure', async () => {
    const testDatabase = await createTestDatabase('postgres');
    const server = await startTestServer({ testDatabase });
    await sql`drop table waitlist`.execute(server.database);
    const file = join(folder, 'half.backup');
    await expect(run(testDatabase, server, `database backup ${file}`)).rejects.toThrow('waitlist');
    expect((await readdir(folder)).filter((name) => name.startsWith('half'))).toEqual([]);
    await server.close();
    await testDatabase.remove();
  });
});
