import { once } from 'node:events';
import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';

export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A client that sends raw request targets, which browsers, `fetch` and `inject` would normalize. */
export async function createRawClient(app: FastifyInstance) {
  await app.listen({ port: 0, host: '127.0.0.1' });
  const address = app.server.address();
  if (typeof address !== 'object' || !address) throw new Error('the server has no port');
  const { port } = address;
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  return {
    port,
    send(method: string, path: string, headers: OutgoingHttpHeaders = {}): Promise<RawAnswer> {
      return new Promise((resolve, reject) => {
        const sent = request({ agent, host: '127.0.0.1', port, method, path, headers }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(chunks).toString(),
            }),
          );
        });
        sent.on('error', reject);
        sent.end();
      });
    },
    /** Sends bytes and returns all bytes that the server sends until it closes the connection. */
    async talk(bytes: string): Promise<string> {
      const socket = connect(port, '127.0.0.1');
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk;
      });
      await once(socket, 'connect');
      socket.write(bytes, 'latin1');
      await once(socket, 'close');
      return received;
    },
    close: () => agent.destroy(),
  };
}
