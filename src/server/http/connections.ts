import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { groupOf, trustedBy } from './address.ts';

interface ConnectionLimits {
  /** Maximum number of connections. Further ones are closed at once. */
  most: number;
  /** Trusted proxies, whose connections are not limited per address. */
  trustProxy: false | number | string[];
}

/** Share of all connections for one network address. */
const SHARE = 1 / 8;

interface Held {
  running: number;
  answered: number;
}

/**
 * Limits connections per client, and lets a stopping server exit as soon as its last answer is sent. Node closes only
 * connections that are idle after a request, but browsers also open connections ahead of time.
 */
export function watchConnections(app: FastifyInstance, { most, trustProxy }: ConnectionLimits): void {
  const share = Math.max(1, Math.floor(most * SHARE));
  const trusted = trustedBy(trustProxy);
  const isProxy = (address: string) => trusted !== false && trusted(address, 0);
  const held = new Map<Socket, Held>();
  const byAddress = new Map<string, Set<Socket>>();
  let closing = false;
  let warned = false;

  app.server.maxConnections = most;

  /** False if its address has used its share, and none of these connections is idle. */
  function takePlace(socket: Socket): boolean {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || isProxy(remoteAddress)) return true;
    const group = groupOf(remoteAddress).address;
    const others = byAddress.get(group) ?? new Set();
    if (others.size >= share) {
      const idle = [...others].find((other) => held.get(other)?.running === 0 && held.get(other)?.answered);
      if (!idle) return false;
      idle.destroy();
      others.delete(idle);
    }
    byAddress.set(group, others.add(socket));
    socket.once('close', () => {
      others.delete(socket);
      if (others.size === 0 && byAddress.get(group) === others) byAddress.delete(group);
    });
    return true;
  }

  function warn(): void {
    if (warned) return;
    warned = true;
    app.log.warn(
      { share },
      'connections of one address were refused; if a proxy stands in front, set TRUST_PROXY',
    );
  }

  app.server.on('connection', (socket: Socket) => {
    if (closing) return void socket.destroy();
    if (!takePlace(socket)) {
      warn();
      return void socket.destroy();
    }
    held.set(socket, { running: 0, answered: 0 });
    socket.once('close', () => held.delete(socket));
  });
  app.server.on('request', (request, response) => {
    const { socket } = request;
    const found = held.get(socket);
    if (found) found.running += 1;
    response.once('close', () => {
      if (!found) return;
      found.running -= 1;
      found.answered += 1;
      if (closing && found.running === 0) socket.end();
    });
  });
  app.addHook('preClose', async () => {
    closing = true;
    for (const [socket, { running }] of held) if (running === 0) socket.destroy();
  });
}
