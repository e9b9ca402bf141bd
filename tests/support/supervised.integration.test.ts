import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { freePort } from './free-port.ts';
import { Supervised } from './supervised.ts';

/** A process that accepts connections and never responds. */
const LISTENS = 'require("node:net").createServer(() => {}).listen(Number(process.argv[1]), "127.0.0.1")';

let port: number;
let one: Supervised;
beforeEach(async () => {
  port = await freePort();
  const command = { program: process.execPath, args: ['-e', LISTENS, String(port)] };
  one = new Supervised('one', command, async () => {
    (await call()).destroy();
    return true;
  });
  await one.start();
});
afterEach(() => one.stopForGood());

async function call(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  const connected = once(socket, 'connect');
  socket.on('error', () => {});
  await connected;
  return socket;
}

it('Supervised: given a kill, reports ending until the process is gone, and restarts it', async () => {
  const { pid } = one;
  const socket = await call();
  const broken = new Promise<number>((resolve) => socket.once('close', () => resolve(performance.now())));
  const before = performance.now();
  const killed = one.kill();
  expect(one.endings).toEqual([{ from: expect.any(Number), to: Number.POSITIVE_INFINITY }]);
  await killed;
  const [ending] = one.endings;
  expect(ending?.from).toBeGreaterThanOrEqual(before);
  expect(await broken).toBeGreaterThanOrEqual(ending?.from ?? Number.POSITIVE_INFINITY);
  expect(ending?.to).toBeLessThanOrEqual(performance.now());
  await one.ready();
  expect(one.pid).not.toBe(pid);
  expect([one.endings.length, one.unexpectedExits]).toEqual([1, []]);
});

it('Supervised: given a process that exits by itself, reports it with its last output', async () => {
  const { pid } = one;
  process.kill(pid ?? 0, 'SIGTERM');
  await expect.poll(() => one.unexpectedExits).toHaveLength(1);
  expect(one.unexpectedExits[0]).toContain('one ended unexpectedly (SIGTERM)');
  await expect.poll(() => one.pid).not.toBe(pid);
  await one.ready();
});
