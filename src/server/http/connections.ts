import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Lets a stopping server go as soon as its last answer is out. Node waits for every connection except for those that
 * are idle after a request; browsers, though, also open connections ahead of time, and keep them.
 */
export function closeQuietConnections(app: FastifyInstance): void {
  const running = new Map<Socket, number>();
  let closing = false;

  app.server.on('connection', (socket: Socket) => {
    if (closing) return void socket.destroy();
    running.set(socket, 0);
    socket.once('close', () => running.delete(socket));
  });
  app.server.on('request', (request, response) => {
    const { socket } = request;
    running.set(socket, (running.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const left = (running.get(socket) ?? 1) - 1;
      if (!socket.destroyed) running.set(socket, left);
      if (closing && left === 0) socket.end();
    });
  });
  app.addHook('preClose', async () => {
    closing = true;
    for (const [socket, requests] of running) if (requests === 0) socket.destroy();
  });
}
