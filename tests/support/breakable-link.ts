import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** The network between a server and its database, which can break in all the ways in which networks do. */
export interface BreakableLink {
  /** The same database, reached over the link. */
  url: string;
  /** Every connection breaks, and nobody is there for new ones. */
  cut(): Promise<void>;
  /** Connections stand and nothing comes over them, new ones included. */
  hang(): void;
  mend(): Promise<void>;
  /** The next message to the database that holds `words` still arrives; then the connection breaks, before an answer. */
  breakAfter(words: string): void;
  stop(): Promise<void>;
}

export async function linkTo(databaseUrl: string): Promise<BreakableLink> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let hangs = false;
  let fatalWords: string | undefined;
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    const end = () => {
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', end).on('close', () => {
        sockets.delete(socket);
        end();
      });
    }
    let deaf = false;
    near.on('data', (chunk) => {
      if (hangs) return;
      if (fatalWords !== undefined && chunk.includes(fatalWords)) {
        fatalWords = undefined;
        deaf = true;
        far.once('data', end);
      }
      far.write(chunk);
    });
    far.on('data', (chunk) => {
      if (!hangs && !deaf) near.write(chunk);
    });
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;

  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  async function cut(): Promise<void> {
    if (server.listening) {
      const closed = once(server, 'close');
      server.close();
      breakAll();
      await closed;
    }
  }
  return {
    url: url.href,
    cut,
    hang() {
      hangs = true;
    },
    async mend() {
      if (hangs) breakAll();
      hangs = false;
      if (!server.listening) await listen(port);
    },
    breakAfter(words) {
      fatalWords = words;
    },
    stop: cut,
  };
}
