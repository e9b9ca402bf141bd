import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../tests/support/server-databases.ts';
import { createLogger } from './logger.ts';

describe('the log', () => {
  let testDatabase: TestDatabase;
  beforeAll(async () => {
    testDatabase = await createTestDatabase('postgres');
  });
  afterAll(() => testDatabase.remove());

  it('contains the type, code and stack of a database error, and no data of the rejected row', async () => {
    const database = await testDatabase.open();
    const row = { email_key: 'nora@mail.example', email: 'nora@mail.example', created_at: '2026' };
    await database.insertInto('waitlist').values(row).execute();
    const lines: string[] = [];
    const logger = createLogger('trace', { write: (line) => void lines.push(line) });
    const failure = await database
      .insertInto('waitlist')
      .values(row)
      .execute()
      .catch((error: Error) => new Error('the waitlist could not be written', { cause: error }));
    logger.error({ err: failure }, 'request failed');
    const [line = ''] = lines;
    expect(line).not.toContain('nora');
    expect(JSON.parse(line).err).toMatchObject({
      message: 'the waitlist could not be written',
      stack: expect.stringContaining('logger.integration.test'),
      cause: { code: '23505', message: expect.stringContaining('waitlist') },
    });
    await database.destroy();
  });

  it('handles circular causes of an error', () => {
    const lines: string[] = [];
    const logger = createLogger('trace', { write: (line) => void lines.push(line) });
    const first = new Error('first');
    first.cause = new Error('second', { cause: first });
    logger.error({ err: first }, 'request failed');
    expect(lines).toHaveLength(1);
  });
});
