import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * A line between two programs that can be broken: it forwards bytes until it is stopped. It simulates a
 * switched-off machine, a firewall or a worn cable.
 */
export interface WeakLink {
  port: number;
  /** The same address as `url`, by way of this line. */
  by(url: string): string;
  /** Every connection breaks, and new ones break as soon as they are made. */
  cut(): void;
  /** Accepts bytes and connections and forwards nothing, silently. */
  swallow(): void;
  /** Everything comes later by so much, in the order in which it was sent. */
  slow(milliseconds: number): void;
  /** The next bytes from this side that hold `words` still arrive; then the connection breaks, before an answer. */
  breakAfter(words: string): void;
  /** As at the beginning; what was swallowed arrives late, as what is sent again does. */
  mend(): void;
  /** Connections that are open. */
  connections(): number;
  close(): Promise<void>;
}

export async function openWeakLink(target: number): Promise<WeakLink> {
  let state: 'whole' | 'cut' | 'silent' = 'whole';
  let lateBy = 0;
  let fatalWords: string | undefined;
  const held = new Set<() => void>();
  const pairs = new Set<readonly [Socket, Socket]>();

  /** Pauses the sender while nothing may pass, so that its own system holds what it sends. */
  function pass(from: Socket, to: Socket): void {
    let arrives = Promise.resolve();
    from.on('data', (bytes: Buffer) => {
      const due = performance.now() + lateBy;
      arrives = arrives.then(async () => {
        await until(due);
        await whilePassing(from);
        if (!to.destroyed) to.write(bytes);
      });
    });
    from.once('end', () => {
      arrives = arrives.then(() => void to.end());
    });
  }

  async function whilePassing(from: Socket): Promise<void> {
    while (state === 'silent') {
      from.pause();
      await new Promise<void>((resolve) => held.add(resolve));
    }
    from.resume();
  }

  const server = createServer({ allowHalfOpen: true }, (near) => {
    near.on('error', () => {});
    if (state === 'cut') {
      near.resetAndDestroy();
      return;
    }
    const far = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true });
    const pair = [near, far] as const;
    pairs.add(pair);
    far.on('error', () => near.resetAndDestroy());
    near.on('data', (bytes: Buffer) => {
      if (fatalWords === undefined || !bytes.includes(fatalWords)) return;
      fatalWords = undefined;
      far.removeAllListeners('data').once('data', () => breakPair(pair));
    });
    for (const [one, other] of [pair, [far, near] as const]) {
      pass(one, other);
      one.once('close', () => {
        pairs.delete(pair);
        // The end of a dead line does not learn that the other one has gone.
        if (state === 'silent') held.add(() => other.destroy());
        else other.destroy();
      });
    }
  });

  function release(): void {
    const waiting = [...held];
    held.clear();
    for (const go of waiting) go();
  }

  function breakPair([near, far]: readonly [Socket, Socket]): void {
    near.resetAndDestroy();
    far.resetAndDestroy();
  }

  function breakAll(): void {
    for (const pair of pairs) breakPair(pair);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    port,
    by(url) {
      const address = new URL(url);
      address.host = `127.0.0.1:${port}`;
      return address.href;
    },
    cut() {
      state = 'cut';
      release();
      breakAll();
    },
    swallow() {
      state = 'silent';
    },
    slow(milliseconds) {
      lateBy = milliseconds;
    },
    breakAfter(words) {
      fatalWords = words;
    },
    mend() {
      state = 'whole';
      lateBy = 0;
      release();
    },
    connections: () => pairs.size,
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
