import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { groupOf, trustedBy } from './address.ts';

interface ConnectionLimits {
  /** Maximum number of connections. Further ones are closed at once. */
  max: number;
  /** Trusted proxies, whose connections are not limited per address. */
  trustProxy: false | number | string[];
}

/** Share of all connections for one network address. */
const SHARE = 1 / 8;

interface ConnectionState {
  running: number;
  answered: number;
}

/**
 * Limits connections per client, and lets a stopping server exit as soon as it has sent its last response. Node closes only
 * connections that are idle after a request, but browsers also open connections before they have a request.
 */
export function watchConnections(app: FastifyInstance, { max, trustProxy }: ConnectionLimits): void {
  const share = Math.max(1, Math.floor(max * SHARE));
  const trusted = trustedBy(trustProxy);
  const isProxy = (address: string) => trusted !== false && trusted(address, 0);
  const connections = new Map<Socket, ConnectionState>();
  const byAddress = new Map<string, Set<Socket>>();
  let closing = false;
  let warned = false;

  app.server.maxConnections = max;

  /** False if the socket's address has used its share and none of these connections is idle. Closes an idle one. */
  function admitConnection(socket: Socket): boolean {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || isProxy(remoteAddress)) return true;
    const group = groupOf(remoteAddress).address;
    const others = byAddress.get(group) ?? new Set();
    if (others.size >= share) {
      const idle = [...others].find(
        (other) => connections.get(other)?.running === 0 && connections.get(other)?.answered,
      );
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
    app.log.warn({ share }, 'connections of one address were refused; behind a proxy, set TRUST_PROXY');
  }

  app.server.on('connection', (socket: Socket) => {
    if (closing) return void socket.destroy();
    if (!admitConnection(socket)) {
      warn();
      return void socket.destroy();
    }
    connections.set(socket, { running: 0, answered: 0 });
    socket.once('close', () => connections.delete(socket));
  });
  app.server.on('request', (request, response) => {
    const { socket } = request;
    const state = connections.get(socket);
    if (state) state.running += 1;
    response.once('close', () => {
      if (!state) return;
      state.running -= 1;
      state.answered += 1;
      if (closing && state.running === 0) socket.end();
    });
  });
  app.addHook('preClose', async () => {
    closing = true;
    for (const [socket, { running }] of connections) if (running === 0) socket.destroy();
  });
}
