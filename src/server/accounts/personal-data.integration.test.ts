import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createBrowser, createMember, PASSWORD } from '../../../tests/support/people.ts';
import { createTestClock, sharedServer } from '../../../tests/support/server-app.ts';
import { DEFAULT_DATABASES } from '../../../tests/support/server-databases.ts';

describe.each(DEFAULT_DATABASES)('personal data (%s)', (kind) => {
  const clock = createTestClock();
  const server = sharedServer({ database: kind, clock });

  /** Every row of every table as text, under its table's name. */
  async function everything(): Promise<Array<{ table: string; row: string }>> {
    const tables = await server.database.introspection.getTables();
    const found = await Promise.all(
      tables.map(async ({ name }) => {
        const { rows } = await sql`select * from ${sql.table(name)}`.execute(server.database);
        return rows.map((row) => ({ table: name, row: JSON.stringify(row) }));
      }),
    );
    return found.flat();
  }

  /** A user with data of every kind that the product stores. */
  async function busyMember(username: string) {
    const person = await createMember(server.app, username);
    const email = `${username}@example.org`;
    await person.post('/api/premium-interest', { email });
    await person.post('/api/texts', { name: 'Note', text: 'Milk and bread' });
    const key = { name: `${username}’s scanner`, scopes: ['read'], currentPassword: PASSWORD };
    expect((await person.post('/api/account/keys', key)).statusCode).toBe(201);
    expect((await person.upload()).statusCode).toBe(200);
    const change = { email: `${username}@new.example`, currentPassword: PASSWORD };
    expect((await person.post('/api/account/email', change)).statusCode).toBe(200);
    const otherBrowser = createBrowser(server.app);
    await otherBrowser.login(username, 'a wrong guess');
    await otherBrowser.login(email, 'a wrong guess');
    await otherBrowser.post('/api/password/forgot', { email });
    return person;
  }

  it('is exported completely, with payments, usage and an unconfirmed address', async () => {
    const anna = await busyMember('anna');
    await server.services.mailRequests.processDue();
    const data = (await anna.get('/api/account/data')).json();
    expect(data).toMatchObject({
      username: 'anna',
      email: 'anna@example.org',
      pendingEmail: 'anna@new.example',
      subscription: { status: 'active' },
      payments: [{ provider: 'demo', status: 'applied', amount: '4.99', currency: 'USD' }],
      usage: [{ extractions: 1 }],
      waitlist: { email: 'anna@example.org' },
      apiKeys: [{ name: 'anna’s scanner', scopes: ['read'], lastUsedAt: null }],
      savedTexts: [{ text: 'Milk and bread' }],
    });
  });

  it('is deleted with the account from every table, except for anonymous bookkeeping', async () => {
    const bert = await busyMember('bertram');
    const row = await server.database
      .selectFrom('users')
      .select('id')
      .where('username', '=', 'bertram')
      .executeTakeFirstOrThrow();
    const before = await everything();
    const removed = await bert.post('/api/account/delete', {
      username: 'bertram',
      currentPassword: PASSWORD,
    });
    expect(removed.statusCode).toBe(200);
    await server.services.mails.deliver();
    expect(server.mails.at(-1)?.subject).toMatch(/deleted/i);
    const left = await everything();
    const naming = (rows: typeof left) =>
      rows.filter((one) => /bertram/i.test(one.row) || one.row.includes(row.id));
    expect(naming(before).length).toBeGreaterThan(5);
    expect(naming(left)).toEqual([]);
    expect(left.some(({ table }) => table === 'payments')).toBe(true);
  });

  it('contains no names or addresses in the counts of attempts', async () => {
    await busyMember('cecilia');
    const counts = (await everything()).filter(({ table }) => table === 'throttles');
    expect(counts.length).toBeGreaterThan(0);
    expect(counts.filter((one) => /cecilia|example/i.test(one.row))).toEqual([]);
  });
});
