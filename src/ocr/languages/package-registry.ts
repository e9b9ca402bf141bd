/** Packages out of the registry that npm is set to on this machine: by its settings, its files and its variables. */
import authFor from 'registry-auth-token';
import registryOf from 'registry-auth-token/registry-url.js';

export interface PackageRegistry {
  /**
   * A package as it was published, a gzipped tar archive, in pieces as they come in. Nothing is promised about what it holds.
   * @throws when the registry cannot be reached, does not have it, or stands still
   */
  open(name: string, version: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
}

/** A registry that says nothing for so long has gone. */
const SILENCE_MS = 20_000;
/** What a registry tells of one package, all of its versions included. */
const MOST_METADATA = 2 ** 20;
/** What clients that install ask for: nothing but versions and where they lie. */
const ABBREVIATED = 'application/vnd.npm.install-v1+json, application/json;q=0.8';

/** Where it is and what opens it is looked up on each call, as npm would. */
export const npmRegistry: PackageRegistry = {
  async open(name, version, signal) {
    const patience = createPatience(signal);
    const scope = name.slice(0, name.indexOf('/'));
    const about = new URL(name.replace('/', '%2f'), registryOf(scope));
    const metadata = await whole(await ask(about, ABBREVIATED, patience), patience);
    const archive = archiveOf(metadata, version);
    if (!archive) throw new Error(`the registry holds no ${name}@${version}`);
    const { body } = await ask(new URL(archive, about), '*/*', patience);
    if (!body) throw new Error('the registry sent nothing');
    return told(body, patience);
  },
};

interface Patience {
  signal: AbortSignal;
  /** Something has come. */
  heard(): void;
  end(): void;
}

function createPatience(outer: AbortSignal): Patience {
  const silence = new AbortController();
  const giveUp = () => silence.abort(new Error('the registry stood still'));
  let timer = setTimeout(giveUp, SILENCE_MS).unref();
  return {
    signal: AbortSignal.any([outer, silence.signal]),
    heard() {
      clearTimeout(timer);
      timer = setTimeout(giveUp, SILENCE_MS).unref();
    },
    end: () => clearTimeout(timer),
  };
}

async function ask(address: URL, accept: string, patience: Patience): Promise<Response> {
  const opens = authFor(address.href, { recursive: true });
  const answer = await fetch(address, {
    headers: { accept, ...(opens && { authorization: `${opens.type} ${opens.token}` }) },
    signal: patience.signal,
  });
  patience.heard();
  if (answer.ok) return answer;
  await answer.body?.cancel();
  patience.end();
  throw new Error(`the registry answered ${answer.status}`);
}

async function whole({ body }: Response, patience: Patience): Promise<unknown> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body ?? []) {
    size += piece.length;
    if (size > MOST_METADATA) throw new Error('the registry tells too much');
    pieces.push(piece);
    patience.heard();
  }
  return JSON.parse(Buffer.concat(pieces).toString());
}

/** The address of one version's archive, in what a registry tells of a package. */
function archiveOf(metadata: unknown, version: string): string | undefined {
  const found = at(at(at(at(metadata, 'versions'), version), 'dist'), 'tarball');
  return typeof found === 'string' ? found : undefined;
}

const at = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null
    ? Object.getOwnPropertyDescriptor(value, key)?.value
    : undefined;

async function* told(body: AsyncIterable<Uint8Array>, patience: Patience): AsyncIterable<Uint8Array> {
  try {
    for await (const piece of body) {
      patience.heard();
      yield piece;
    }
  } finally {
    patience.end();
  }
}
