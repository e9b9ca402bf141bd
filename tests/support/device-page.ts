/** A browser page that reads pictures on the device with the product's engine, without the product's server. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { build, defaultClientConditions } from 'vite';
import type { Extraction } from '#contract/extraction';
import { chromiumFlags, headlessChromiumPath } from '../../scripts/test-programs.mjs';
import { ISOLATION } from '../../src/server/http/headers.ts';
import { createLanguageFiles, type LanguageFiles } from '../../src/server/recognition/language-files.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
};

export interface DevicePage {
  page: Page;
  /** Requested paths, in order. */
  requestedPaths: string[];
  /** `longestTask`: the longest task of the main thread, in milliseconds; 0 if no task took 50. */
  read(
    picture: Uint8Array,
    filter: boolean,
    language?: string,
  ): Promise<{ extraction: Extraction; milliseconds: number; longestTask: number }>;
  close(): Promise<void>;
}

/**
 * @param options `isolated`: whether the document is isolated like those of the product, so that the detector has threads;
 * browsers without support for the header use none. `threads`: number of parallel recognizers. `languageDirs`: folders of
 * further languages
 */
export async function openDevicePage({
  isolated = true,
  threads = 2,
  languageDirs = [],
}: {
  isolated?: boolean;
  threads?: number;
  languageDirs?: readonly string[];
} = {}): Promise<DevicePage> {
  const folder = await mkdtemp(path.join(tmpdir(), 'device-page-'));
  await build({
    configFile: false,
    logLevel: 'warn',
    resolve: { conditions: ['source', 'onnxruntime-web-use-extern-wasm', ...defaultClientConditions] },
    worker: { format: 'es' },
    build: {
      outDir: folder,
      emptyOutDir: false,
      target: 'es2022',
      assetsInlineLimit: 0,
      modulePreload: false,
      rolldownOptions: {
        input: path.join(import.meta.dirname, '../device/page.ts'),
        output: { entryFileNames: 'page.js' },
      },
    },
  });
  const requestedPaths: string[] = [];
  const languages = createLanguageFiles(languageDirs);
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://localhost');
    requestedPaths.push(pathname);
    if (pathname === '/') {
      response
        .setHeaders(new Headers({ 'content-type': 'text/html', ...(isolated && ISOLATION) }))
        .end('<!doctype html><script type="module" src="/page.js"></script>');
      return;
    }
    const [, language, sha256] = /^\/api\/languages\/(\w+)(?:\/(\w+))?$/.exec(pathname) ?? [];
    if (language) {
      void answerLanguage(languages, { language, sha256 }, response);
      return;
    }
    readFile(path.join(folder, pathname)).then(
      (bytes) =>
        response
          .setHeader('content-type', TYPES[path.extname(pathname)] ?? 'application/octet-stream')
          .end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  let browser: Browser | undefined;
  const close = async () => {
    await browser?.close();
    server.close();
    server.closeAllConnections();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    browser = await chromium.launch({ executablePath: headlessChromiumPath(), args: chromiumFlags() });
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const read: DevicePage['read'] = (picture, filter, language = 'eng') =>
      page.evaluate(
        (given) =>
          (
            globalThis as unknown as { readPicture: (...given: unknown[]) => ReturnType<DevicePage['read']> }
          ).readPicture(...given),
        [Buffer.from(picture).toString('base64'), filter, language, threads] as const,
      );
    return { page, requestedPaths, read, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Answers like the recognition routes for a visitor who may choose every language. */
async function answerLanguage(
  languages: LanguageFiles,
  { language, sha256 }: { language: string; sha256: string | undefined },
  response: ServerResponse,
): Promise<void> {
  if (sha256 === undefined) {
    const data = await languages.describe(language);
    response.setHeader('content-type', 'application/json').end(JSON.stringify(data));
    return;
  }
  const bytes = await languages.open(language, sha256);
  bytes?.pipe(response.setHeader('content-type', 'application/octet-stream'));
}
