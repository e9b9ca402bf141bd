import { CompiledQuery } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMember } from '../../../../tests/support/people.ts';
import { createVisitor, startTestServer, type TestServer } from '../../../../tests/support/server-app.ts';
import { DEFAULT_DATABASES } from '../../../../tests/support/server-databases.ts';

type Statement = { sql: string; parameters: readonly unknown[] };

describe.each(DEFAULT_DATABASES)('the query for the usage (%s)', (kind) => {
  let server: TestServer;
  let statements: Statement[] = [];
  beforeAll(async () => {
    const onStatement = (sql: string, parameters: readonly unknown[]) =>
      void statements.push({ sql, parameters });
    server = await startTestServer({ database: kind, onStatement });
    await manyOthers();
  });
  afterAll(() => server.close());

  /** Enough rows that a full scan would be the wrong plan. */
  async function manyOthers(): Promise<void> {
    const { database } = server;
    const ends = '2026-05-05T00:00:00.000Z';
    const holder = (number: number) => ({ holder: `visitor:other-${number}`, period: '2026-05-04' });
    for (let from = 0; from < 6_000; from += 1_000) {
      const some = Array.from({ length: 1_000 }, (_, index) => holder(from + index));
      await database
        .insertInto('quota_holders')
        .values(some.map((one) => ({ ...one, period_ends: ends, unpaid_ms: 0 })))
        .execute();
      await database
        .insertInto('quota_entries')
        .values(some.map((one) => ({ ...one, reservation: one.holder, expires: ends, committed: ends })))
        .execute();
    }
    await database.executeQuery(CompiledQuery.raw('analyze'));
  }

  async function statementsOf(ask: () => Promise<unknown>): Promise<Statement[]> {
    statements = [];
    await ask();
    return statements;
  }

  async function planOf({ sql, parameters }: Statement): Promise<string> {
    const explain = kind === 'sqlite' ? 'explain query plan' : 'explain';
    const { rows } = await server.database.executeQuery(
      CompiledQuery.raw(`${explain} ${sql}`, [...parameters]),
    );
    return JSON.stringify(rows);
  }

  it('is one indexed statement for a visitor', async () => {
    const visitor = createVisitor(server.app);
    await visitor.upload();
    const asked = await statementsOf(async () => expect((await visitor.usage()).imageCount).toBe(1));
    expect(asked).toHaveLength(1);
    expect(await planOf(asked[0]!)).toMatch(/index.*quota_entries_by_holder/i);
  });

  it('is one indexed statement per slice for a signed-in user', async () => {
    const browser = await createMember(server.app, 'anna');
    const asked = await statementsOf(() => browser.usage());
    const tables = asked.map(({ sql }) => /from "(\w+)"/.exec(sql)?.[1]);
    expect(tables).toEqual(['sessions', 'subscriptions', 'quota_entries']);
    if (kind === 'sqlite') for (const statement of asked) expect(await planOf(statement)).not.toMatch(/SCAN/);
    expect(await planOf(asked[2]!)).toMatch(/index.*quota_entries_by_holder/i);
  });
});
