import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * A TCP proxy that simulates network failures: a switched-off machine, a firewall or a slow or interrupted connection.
 */
export interface FaultyProxy {
  port: number;
  /** `url` with host and port of this proxy. */
  urlThrough(url: string): string;
  /** Resets all connections, and new ones as soon as they are opened. */
  cut(): void;
  /** Accepts connections and bytes, but forwards nothing. */
  blackhole(): void;
  /** Delays all bytes, in order. */
  delayBy(milliseconds: number): void;
  /** Forwards the next bytes of a client that contain `words`, and then breaks the connection before the response. */
  breakAfter(words: string): void;
  /** Back to normal. Bytes that were held back arrive late, like TCP retransmissions. */
  restore(): void;
  /** Number of open connections. */
  connections(): number;
  close(): Promise<void>;
}

export async function openFaultyProxy(target: number): Promise<FaultyProxy> {
  let state: 'whole' | 'cut' | 'silent' = 'whole';
  let delayMs = 0;
  let breakPattern: string | undefined;
  const resumeCallbacks = new Set<() => void>();
  const connectionPairs = new Set<readonly [Socket, Socket]>();

  /** Forwards bytes. Pauses the sender while nothing is forwarded, so that its system buffers the bytes. */
  function forward(from: Socket, to: Socket): void {
    let lastForwarded = Promise.resolve();
    from.on('data', (bytes: Buffer) => {
      const due = performance.now() + delayMs;
      lastForwarded = lastForwarded.then(async () => {
        await until(due);
        await untilForwarding(from);
        if (!to.destroyed) to.write(bytes);
      });
    });
    from.once('end', () => {
      lastForwarded = lastForwarded.then(() => void to.end());
    });
  }

  async function untilForwarding(from: Socket): Promise<void> {
    while (state === 'silent') {
      from.pause();
      await new Promise<void>((resolve) => resumeCallbacks.add(resolve));
    }
    from.resume();
  }

  const server = createServer({ allowHalfOpen: true }, (client) => {
    client.on('error', () => {});
    if (state === 'cut') {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true });
    const pair = [client, upstream] as const;
    connectionPairs.add(pair);
    upstream.on('error', () => client.resetAndDestroy());
    client.on('data', (bytes: Buffer) => {
      if (breakPattern === undefined || !bytes.includes(breakPattern)) return;
      breakPattern = undefined;
      upstream.removeAllListeners('data').once('data', () => breakPair(pair));
    });
    for (const [one, other] of [pair, [upstream, client] as const]) {
      forward(one, other);
      one.once('close', () => {
        connectionPairs.delete(pair);
        // While nothing is forwarded, one side must not see that the other one has closed.
        if (state === 'silent') resumeCallbacks.add(() => other.destroy());
        else other.destroy();
      });
    }
  });

  function release(): void {
    const waiting = [...resumeCallbacks];
    resumeCallbacks.clear();
    for (const go of waiting) go();
  }

  function breakPair([client, upstream]: readonly [Socket, Socket]): void {
    client.resetAndDestroy();
    upstream.resetAndDestroy();
  }

  function breakAll(): void {
    for (const pair of connectionPairs) breakPair(pair);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    port,
    urlThrough(url) {
      const address = new URL(url);
      address.host = `127.0.0.1:${port}`;
      return address.href;
    },
    cut() {
      state = 'cut';
      release();
      breakAll();
    },
    blackhole() {
      state = 'silent';
    },
    delayBy(milliseconds) {
      delayMs = milliseconds;
    },
    breakAfter(words) {
      breakPattern = words;
    },
    restore() {
      state = 'whole';
      delayMs = 0;
      release();
    },
    connections: () => connectionPairs.size,
    async close() {
      state = 'cut';
      release();
      breakAll();
      server.close();
      await once(server, 'close');
    },
  };
}

function until(moment: number): Promise<void> | undefined {
  const left = moment - performance.now();
  return left > 0 ? new Promise((resolve) => setTimeout(resolve, left)) : undefined;
}
