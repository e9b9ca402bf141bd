import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pythonPath } from '../../scripts/test-programs.mjs';
import { type RunningServer, startServer, stopServer } from '../support/built-server.ts';
import { FIXTURE_TEXT, fixture } from '../support/pictures.ts';
import { run } from './installed.ts';

/** The request in the README, and clients that common generators create from `/api/openapi.json`. */

let server: RunningServer;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'glyphlift-clients-'));
  server = await startServer({ LOG_LEVEL: 'warn' });
  await writeFile(join(folder, 'picture.png'), fixture('harbour-lights.png'));
  await writeFile(join(folder, 'openapi.json'), await (await fetch(`${server.url}/api/openapi.json`)).text());
});
afterAll(async () => {
  if (server) await stopServer(server);
  await rm(folder, { recursive: true, force: true });
});

async function succeeds(program: string, args: readonly string[], cwd: string) {
  const { status, stdout, stderr } = await run(program, args, cwd);
  expect([status, status === 0 ? '' : stdout + stderr], `${program} ${args.join(' ')}`).toEqual([0, '']);
  return { stdout, stderr };
}

it('README: shows the real response to its request', async () => {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(fixture('harbour-lights.png'))]), 'harbour-lights.png');
  const answer = await fetch(`${server.url}/api/extract-text`, { method: 'POST', body: form });
  const { lines } = (await answer.json()) as { lines: { words: unknown[] }[] };
  const words = lines[1]?.words.map((word) => `${JSON.stringify(word)}\n`).join('');
  const readme = await readFile(join(import.meta.dirname, '..', '..', 'README.md'), 'utf8');
  expect(readme).toContain(`--form file=@harbour-lights.png | jq -c '.lines[1].words[]'\n${words}`);
});

const TYPESCRIPT = `import { readFile } from 'node:fs/promises';
import createClient from 'openapi-fetch';
import type { components, paths, webhooks } from './api.js';

const baseUrl = process.argv[2] ?? '';
const file = new Blob([new Uint8Array(await readFile('picture.png'))]);
const asForm = (_body: unknown) => {
  const form = new FormData();
  form.append('file', file, 'picture.png');
  return form;
};
const body = { file: '' };

const json = createClient<paths, 'application/json'>({ baseUrl });
const read = await json.POST('/api/extract-text', { body, bodySerializer: asForm });
if (!read.data) throw new Error(read.error.error);
const { extractedText, wordCount } = read.data;

const image = (await readFile('picture.png')).toString('base64');
const inJson = await json.POST('/api/extract-text', { body: { image, useFiltering: true } });
if (inJson.data?.extractedText !== extractedText) throw new Error('the JSON request gives another text');

const text = createClient<paths, 'text/plain'>({ baseUrl });
const plain = await text.POST('/api/extract-text', {
  params: { query: { format: 'text' } },
  body,
  bodySerializer: asForm,
  parseAs: 'text',
});
const said: string = plain.data ?? '';

const png = createClient<paths, 'image/png'>({ baseUrl });
const preview = await png.POST('/api/preview', { body, bodySerializer: asForm, parseAs: 'blob' });

type Event = webhooks['jobEnded']['post']['requestBody']['content']['application/json'];
const state = (event: Event): 'done' | 'failed' => event.data.state;
const wait = (header: components['headers']['Retry-After']): number => header;
console.log(JSON.stringify({ extractedText, wordCount, said, bytes: preview.response.status, state: typeof state, wait: typeof wait }));
`;

it('openapi-typescript and openapi-fetch: the generated types compile, and the client reads a picture', async () => {
  const at = join(folder, 'typescript');
  await mkdir(at);
  await writeFile(join(at, 'package.json'), '{ "name": "stranger", "private": true, "type": "module" }\n');
  await writeFile(join(at, 'client.ts'), TYPESCRIPT);
  await writeFile(join(at, 'picture.png'), fixture('harbour-lights.png'));
  const packages = [
    'openapi-typescript@7.13.0',
    'openapi-fetch@0.17.0',
    'typescript@5.9.3',
    '@types/node@20.19.43',
  ];
  const flags = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  await succeeds('npm', ['install', ...flags, ...packages], at);
  const bin = (name: string) => join(at, 'node_modules', '.bin', name);
  await succeeds(bin('openapi-typescript'), ['../openapi.json', '-o', 'api.ts'], at);
  const options = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
  const target = ['--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom'];
  await succeeds(bin('tsc'), [...options, ...target, 'client.ts'], at);
  const { stdout } = await succeeds(process.execPath, ['client.js', server.url], at);
  expect(JSON.parse(stdout)).toEqual({
    extractedText: FIXTURE_TEXT,
    wordCount: 4,
    said: FIXTURE_TEXT,
    bytes: 200,
    state: 'function',
    wait: 'function',
  });
});

const PYTHON = `import base64, json, sys
from client import Client
from client.api.recognition import extract_text, preview_picture
from client.models import ExtractTextFilesBody, ExtractTextJsonBody, PreviewPictureBody
from client.types import File

with open('picture.png', 'rb') as picture:
    content = picture.read()

def file():
    from io import BytesIO
    return File(payload=BytesIO(content), file_name='picture.png', mime_type='image/png')

with Client(base_url=sys.argv[1]) as client:
    read = extract_text.sync(client=client, body=ExtractTextFilesBody(file=file()))
    in_json = ExtractTextJsonBody(image=base64.b64encode(content).decode())
    ways = [in_json, file()]
    texts = [extract_text.sync(client=client, body=way).extracted_text for way in ways]
    assert texts == [read.extracted_text] * 2, texts
    preview = preview_picture.sync(client=client, body=PreviewPictureBody(file=file()))
print(json.dumps({'text': read.extracted_text, 'words': read.word_count, 'png': preview.payload.read(4).hex()}))
`;

it('openapi-python-client: the generated package compiles, and the client reads a picture', async () => {
  const at = join(folder, 'python');
  await mkdir(at);
  await writeFile(join(at, 'read.py'), PYTHON);
  await writeFile(join(at, 'picture.png'), fixture('harbour-lights.png'));
  // The generator does not know image types, so they are configured as bytes.
  const asBytes = ['image/png', 'image/*', 'application/pdf'].map((type) => [
    type,
    'application/octet-stream',
  ]);
  const config = { content_type_overrides: Object.fromEntries(asBytes), post_hooks: [] };
  await writeFile(join(at, 'config.json'), JSON.stringify(config));
  await succeeds(pythonPath(), ['-m', 'venv', 'environment'], at);
  const bin = (name: string) => join(at, 'environment', 'bin', name);
  await succeeds(bin('pip'), ['install', '--quiet', 'openapi-python-client==0.29.1'], at);
  const output = ['--meta', 'none', '--output-path', 'client', '--config', 'config.json'];
  const generate = ['generate', '--path', '../openapi.json', ...output];
  const generated = await succeeds(bin('openapi-python-client'), generate, at);
  // The generator may warn only about the reports of browsers, which have special media types.
  const said = generated.stdout + generated.stderr;
  const left = said.split('\n').filter((line) => line.startsWith('WARNING'));
  expect(left).toEqual(['WARNING parsing POST /api/content-policy-reports within site.']);
  await succeeds(bin('python'), ['-m', 'compileall', '-q', 'client'], at);
  const { stdout } = await succeeds(bin('python'), ['read.py', server.url], at);
  expect(JSON.parse(stdout)).toEqual({
    text: FIXTURE_TEXT,
    words: 4,
    png: '89504e47',
  });
});
