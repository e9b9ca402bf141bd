/**
 * A process that opens databases, as a server does at its start, several at once: one line of JSON each on its standard
 * input. It says `ready` once it listens, and how each opening went.
 */
import { createInterface } from 'node:readline';
import { createLogger } from '../../src/server/platform/logger.ts';
import { openDatabase } from '../../src/server/schema.ts';

const logger = createLogger('silent');
const say = (line: string) => process.stdout.write(`${line}\n`);

say('ready');
for await (const line of createInterface({ input: process.stdin })) {
  const request: { databaseUrl?: string; dataDir: string; times: number } = JSON.parse(line);
  const { databaseUrl, dataDir, times } = request;
  const open = async () => (await openDatabase({ databaseUrl, dataDir, logger })).destroy();
  try {
    await Promise.all(Array.from({ length: times }, open));
    say('opened');
  } catch (error) {
    say(String(error));
  }
}
