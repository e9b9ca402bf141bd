/**
 * A process that opens each database it is told of, as a server does at its start: one line of JSON each on its standard
 * input. It says `ready` once it listens, and how each opening went.
 */
import { createInterface } from 'node:readline';
import { createLogger } from '../../src/server/platform/logger.ts';
import { openDatabase } from '../../src/server/schema.ts';

const logger = createLogger('silent');
const say = (line: string) => process.stdout.write(`${line}\n`);

say('ready');
for await (const line of createInterface({ input: process.stdin })) {
  const { databaseUrl, dataDir }: { databaseUrl?: string; dataDir: string } = JSON.parse(line);
  try {
    const database = await openDatabase({ databaseUrl, dataDir, logger });
    await database.destroy();
    say('opened');
  } catch (error) {
    say(String(error));
  }
}
