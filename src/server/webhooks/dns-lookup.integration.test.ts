import { createSocket, type Socket } from 'node:dgram';
import { lookup as systemLookup } from 'node:dns/promises';
import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import { createDnsLookup, NameUnresolved } from './dns-lookup.ts';

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
});

/** A DNS server; `answer` returns IPv4 addresses, or undefined for no response. No IPv6. */
async function nameServer(answer: (question: Buffer) => number[] | undefined) {
  const asked: number[] = [];
  const socket = createSocket('udp4');
  sockets.push(socket);
  socket.on('message', (question, { port, address }) => {
    const type = question.readUInt16BE(question.length - 4);
    asked.push(type);
    const found = type === A ? answer(question) : answer(question) && [];
    if (found) socket.send(responseTo(question, found), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { server: `127.0.0.1:${socket.address().port}`, asked };
}

const A = 1;

/** Encodes a DNS response. */
function responseTo(question: Buffer, address: number[]): Buffer {
  // Without additional records (EDNS).
  const end = question.indexOf(0, 12) + 5;
  const head = Buffer.from(question.subarray(0, 12));
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(address.length === 0 ? 0 : 1, 6);
  head.writeUInt32BE(0, 8);
  const record = Buffer.from([0xc0, 12, 0, A, 0, 1, 0, 0, 0, 60, 0, 4, ...address]);
  return Buffer.concat([head, question.subarray(12, end), ...(address.length === 0 ? [] : [record])]);
}

it('DNS lookup: returns the address of the name server', async () => {
  const { server } = await nameServer(() => [93, 184, 215, 14]);
  const found = await createDnsLookup([server])('hooks.example.com', new AbortController().signal);
  expect(found).toEqual([{ address: '93.184.215.14', family: 4 }]);
});

it('DNS lookup: fails for a name without an address', async () => {
  const { server } = await nameServer(() => []);
  const found = createDnsLookup([server])('hooks.example.com', new AbortController().signal);
  await expect(found).rejects.toThrow(NameUnresolved);
});

it('DNS lookup: many unanswered lookups time out without blocking lookups of the system', async () => {
  const { server } = await nameServer(() => undefined);
  const lookUp = createDnsLookup([server]);
  const started = performance.now();
  const all = Array.from({ length: 64 }, (_, at) =>
    lookUp(`h${at}.slow.example.org`, new AbortController().signal),
  );
  const outcomes = Promise.allSettled(all);
  expect((await systemLookup('localhost')).address).toMatch(/^(127\.|::1)/);
  const waited = performance.now() - started;
  expect((await outcomes).map(({ status }) => status)).toEqual(all.map(() => 'rejected'));
  expect(waited).toBeLessThan((performance.now() - started) / 2);
  await expect(all[0]).rejects.toThrow(NameUnresolved);
});

it('DNS lookup: ends at once when it is aborted', async () => {
  const { server } = await nameServer(() => undefined);
  const giveUp = new AbortController();
  const found = createDnsLookup([server])('h.slow.example.org', giveUp.signal);
  giveUp.abort();
  await expect(found).rejects.toThrow();
});
