/** A local package registry with the protocol of npm clients, whose failures a test controls. */
import { createHash } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { Header } from 'tar';
import type { LanguagePin } from '#ocr';

/** Sends an archive: completely, in part or never. */
type SendArchive = (archive: Buffer, answer: ServerResponse) => void;

export interface TestRegistry {
  /** Value for npm's setting `registry`. */
  url: string;
  /** Publishes the package of a language. Returns its pin. */
  publish(
    code: string,
    data: Buffer,
    changes?: { extra?: [name: string, type: 'SymbolicLink' | 'File', content: string][] },
  ): LanguagePin;
  /** Sets how archives are sent; completely by default. */
  send(how: SendArchive | 'whole'): void;
  /** Answers all requests with a status. */
  rejectWith(status: number | undefined): void;
  /** Requested archives, in order. */
  requestedPaths: string[];
  close(): Promise<void>;
}

export const FILE_OF = (code: string) => `package/4.0.0_best_int/${code}.traineddata.gz`;

const sendWhole: SendArchive = (archive, answer) => void answer.end(archive);

export async function startPackageRegistry(): Promise<TestRegistry> {
  const archives = new Map<string, { name: string; archive: Buffer }>();
  const requestedPaths: string[] = [];
  let sending = sendWhole;
  let rejection: number | undefined;
  const server = createServer((request, answer) => {
    const path = decodeURIComponent(request.url ?? '');
    const name = path.slice(1);
    const byName = [...archives.values()].find((one) => one.name === name);
    const byPath = archives.get(path);
    if (rejection !== undefined || (!byName && !byPath)) {
      answer.writeHead(rejection ?? 404, { 'content-type': 'application/json' });
      answer.end('{"error":"Not found"}');
    } else if (byName) {
      const version = '1.0.0';
      const tarball = `${url}${[...archives].find(([, one]) => one === byName)![0].slice(1)}`;
      answer.writeHead(200, { 'content-type': 'application/vnd.npm.install-v1+json' });
      answer.end(
        JSON.stringify({
          name,
          'dist-tags': { latest: version },
          versions: {
            [version]: { name, version, dist: { tarball, integrity: integrityOf(byName.archive) } },
          },
        }),
      );
    } else if (byPath) {
      requestedPaths.push(path);
      answer.writeHead(200, { 'content-type': 'application/octet-stream' });
      sending(byPath.archive, answer);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    url,
    requestedPaths,
    publish(code, data, { extra = [] } = {}) {
      const name = `@tesseract.js-data/${code}`;
      const archive = gzipSync(
        Buffer.concat([
          ...extra.map(([path, type, content]) => entry(path, type, Buffer.from(content))),
          entry('package/package.json', 'File', Buffer.from(JSON.stringify({ name, version: '1.0.0' }))),
          entry(FILE_OF(code), 'File', gzipSync(data)),
          Buffer.alloc(1024),
        ]),
      );
      archives.set(`/${name}/-/${code}-1.0.0.tgz`, { name, archive });
      return {
        version: '1.0.0',
        integrity: integrityOf(archive),
        bytes: archive.length,
        file: FILE_OF(code),
        unpacked: data.length,
      };
    },
    send(how) {
      sending = how === 'whole' ? sendWhole : how;
    },
    rejectWith(status) {
      rejection = status;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Sends half of an archive, and the rest on `goOn`. */
export function inTwoHalves(): { how: SendArchive; sent: Promise<void>; goOn: () => void } {
  const gate = new PassThrough();
  let resolveSent = () => {};
  const sent = new Promise<void>((resolve) => {
    resolveSent = resolve;
  });
  return {
    how(archive, answer) {
      answer.write(archive.subarray(0, archive.length / 2), () => resolveSent());
      gate.once('end', () => answer.end(archive.subarray(archive.length / 2))).resume();
    },
    sent,
    goOn: () => gate.end(),
  };
}

const integrityOf = (archive: Buffer) => `sha512-${createHash('sha512').update(archive).digest('base64')}`;

function entry(path: string, type: 'SymbolicLink' | 'File', content: Buffer): Buffer {
  const isLink = type === 'SymbolicLink';
  const header = new Header({
    path,
    type,
    size: isLink ? 0 : content.length,
    mode: 0o644,
    mtime: new Date(0),
    ...(isLink && { linkpath: content.toString() }),
  });
  header.encode();
  const body = isLink ? Buffer.alloc(0) : content;
  return Buffer.concat([header.block!, body, Buffer.alloc((512 - (body.length % 512)) % 512)]);
}
