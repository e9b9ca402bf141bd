import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type FaultyProxy, openFaultyProxy } from './faulty-proxy.ts';

let far: Server;
let link: FaultyProxy;
const sockets: Socket[] = [];

beforeEach(async () => {
  far = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => socket.write(`heard ${bytes}`));
  }).listen(0, '127.0.0.1');
  await once(far, 'listening');
  link = await openFaultyProxy((far.address() as AddressInfo).port);
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await link.close();
  far.close();
});

async function call(): Promise<Socket> {
  const socket = connect(link.port, '127.0.0.1');
  socket.on('error', () => {});
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** However it came to that. */
const closed = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()));

async function answer(socket: Socket, words: string): Promise<string> {
  socket.write(words);
  const [bytes] = await once(socket, 'data');
  return String(bytes);
}

it('WeakLink: forwards bytes in both directions, and puts its own address in a URL', async () => {
  expect(await answer(await call(), 'hello')).toBe('heard hello');
  expect(link.urlThrough('redis://example.org:6379/2')).toBe(`redis://127.0.0.1:${link.port}/2`);
});

it('WeakLink: cut, breaks open and new connections until it is mended', async () => {
  const before = await call();
  await answer(before, 'hello');
  const broken = closed(before);
  link.cut();
  await broken;
  const during = connect(link.port, '127.0.0.1');
  during.on('error', () => {});
  await closed(during);
  expect(link.connections()).toBe(0);
  link.restore();
  expect(await answer(await call(), 'again')).toBe('heard again');
});

it('WeakLink: stalled, holds bytes without closing, and forwards them once it is mended', async () => {
  const socket = await call();
  await answer(socket, 'hello');
  link.blackhole();
  let heard = '';
  socket.on('data', (bytes) => {
    heard += bytes;
  });
  socket.write('one');
  const newcomer = await call();
  newcomer.write('new');
  await delay(50);
  expect([heard, socket.closed, newcomer.closed]).toEqual(['', false, false]);
  link.restore();
  await once(newcomer, 'data');
  while (!heard.includes('one')) await once(socket, 'data');
  expect(heard).toBe('heard one');
});

it('WeakLink: slow, keeps the order of the bytes', async () => {
  const socket = await call();
  link.delayBy(20);
  socket.write('a');
  await delay(5);
  link.delayBy(0);
  let heard = '';
  socket.on('data', (bytes) => {
    heard += bytes;
  });
  socket.write('b');
  while (!heard.includes('b')) await once(socket, 'data');
  expect(heard.indexOf('a')).toBeLessThan(heard.indexOf('b'));
});

it('WeakLink: given words to break after, forwards them and returns nothing', async () => {
  const heardThere: string[] = [];
  far.on('connection', (socket: Socket) => socket.on('data', (bytes) => heardThere.push(String(bytes))));
  const socket = await call();
  await answer(socket, 'hello');
  let heard = '';
  socket.on('data', (bytes) => {
    heard += bytes;
  });
  const broken = closed(socket);
  link.breakAfter('fatal');
  socket.write('a fatal word');
  await broken;
  expect([heardThere.at(-1), heard]).toEqual(['a fatal word', '']);
  expect(await answer(await call(), 'fatal')).toBe('heard fatal');
});
