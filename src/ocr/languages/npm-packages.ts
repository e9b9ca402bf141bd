/** Packages from the registry that npm is configured for on this machine: by its settings, files and variables. */
import { createReadStream } from 'node:fs';
import authFor from 'registry-auth-token';
import registryOf from 'registry-auth-token/registry-url.js';
import pinned from './npm-pins.json' with { type: 'json' };
import { beginDownload, type LanguagePins, type PackageSource } from './package-source.ts';

export const NPM_PINS: LanguagePins = pinned;

export const packageOf = (code: string): string => `@tesseract.js-data/${code}`;

/** Maximum size of the metadata of a package with all versions. */
const MAX_METADATA = 2 ** 20;
/** The short form that installing clients request: versions and their URLs only. */
const ABBREVIATED = 'application/vnd.npm.install-v1+json, application/json;q=0.8';

/** The registry and its credentials are looked up on each call, as npm does. */
export const npmPackages = (pins: LanguagePins = NPM_PINS): PackageSource => ({
  pins: async () => pins,
  async open(code, version, signal) {
    const name = packageOf(code);
    const download = beginDownload('the registry', signal);
    const ask = (address: URL, accept: string) => {
      const credentials = authFor(address.href, { recursive: true });
      return download.ask(address, {
        accept,
        ...(credentials && { authorization: `${credentials.type} ${credentials.token}` }),
      });
    };
    const metadataUrl = new URL(name.replace('/', '%2f'), registryOf(name.slice(0, name.indexOf('/'))));
    const metadata = await whole(download.withProgress(await ask(metadataUrl, ABBREVIATED)));
    const archive = archiveOf(metadata, version);
    if (!archive) throw new Error(`the registry holds no ${name}@${version}`);
    return download.withProgress(await ask(new URL(archive, metadataUrl), '*/*'));
  },
  archiveIn: (file, signal) => createReadStream(file, { signal }),
});

async function whole(body: AsyncIterable<Uint8Array>): Promise<unknown> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > MAX_METADATA) throw new Error('the metadata of the package are too large');
    pieces.push(piece);
  }
  return JSON.parse(Buffer.concat(pieces).toString());
}

/** The archive URL of one version, from a registry's document on a package. */
function archiveOf(metadata: unknown, version: string): string | undefined {
  const found = at(at(at(at(metadata, 'versions'), version), 'dist'), 'tarball');
  return typeof found === 'string' ? found : undefined;
}

const at = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null
    ? Object.getOwnPropertyDescriptor(value, key)?.value
    : undefined;
