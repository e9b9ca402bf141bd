/**
 * A process that opens databases like a starting server, several times in parallel: one request per line of its standard
 * input, as JSON. It prints `ready` at its start, and `opened` or the error for each request.
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
