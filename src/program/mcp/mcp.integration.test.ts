import { copyFileSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { type CallToolResult, ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compiledFileOf } from '../../../tests/support/compiled-file.ts';
import { scanPage } from '../../../tests/support/documents.ts';
import { pdfOf } from '../../../tests/support/pdf.ts';

/** Runs the command as a client starts it, with the real engine. */
let folder: string;
let client: Client;
let transport: StdioClientTransport;
const at = (name: string) => join(folder, name);
const call = async (name: string, args: object, options = {}) =>
  (await client.callTool({ name, arguments: { ...args } }, undefined, options)) as CallToolResult;
const textOf = ({ content: [first] }: CallToolResult) => (first?.type === 'text' ? first.text : undefined);

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'glyphlift-mcp-')));
  copyFileSync('tests/fixtures/pictures/harbour-lights.png', at('harbour.png'));
  writeFileSync(at('three.pdf'), pdfOf([await scanPage(), await scanPage(), await scanPage()]));
  writeFileSync(at('broken.png'), 'no picture');
  client = new Client({ name: 'test', version: '1' }, { capabilities: { roots: {} } });
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: pathToFileURL(folder).href }] }));
  transport = new StdioClientTransport({
    command: process.execPath,
    args: [compiledFileOf('src/program/main.ts'), 'mcp', '--jobs', '2'],
    env: { PATH: process.env.PATH ?? '', DATA_DIR: folder },
    stderr: 'pipe',
  });
  await client.connect(transport);
}, 60_000);

afterAll(async () => {
  await client?.close();
  rmSync(folder, { recursive: true, force: true });
});

it('mcp: lists its tools with schemas, as read-only and without network access', async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    'read_image',
    'read_pages',
    'read_region',
    'list_languages',
  ]);
  for (const { annotations, outputSchema } of tools) {
    expect(annotations).toMatchObject({ readOnlyHint: true, openWorldHint: false });
    expect(outputSchema).toBeDefined();
  }
});

it('read_image: given an image in a root, returns its text and its boxes', async () => {
  const answer = await call('read_image', { path: at('harbour.png') });
  expect(textOf(answer)).toBe('Harbour lights\nseven boats');
  const [page] = (answer.structuredContent as { pages: { lines: { text: string; box: object }[] }[] }).pages;
  expect(page).toMatchObject({ page: 1, of: 1, width: 480, height: 160, language: 'eng', tables: [] });
  expect(page?.lines[0]).toMatchObject({ text: 'Harbour lights', box: { x: expect.any(Number) } });
});

it('read_pages: given a range, reads these pages and reports progress', async () => {
  const shares: number[] = [];
  const onprogress = ({ progress, total }: { progress: number; total?: number }) =>
    shares.push(progress / (total ?? 0));
  const answer = await call(
    'read_pages',
    { path: pathToFileURL(at('three.pdf')).href, pages: '2-' },
    { onprogress },
  );
  expect(textOf(answer)).toBe(
    [
      '--- page 2 of 3 ---',
      'Harbour lights\nseven boats',
      '--- page 3 of 3 ---',
      'Harbour lights\nseven boats',
    ].join('\n\n'),
  );
  // The client drops the last progress event if it arrives together with the answer.
  expect(shares[0]).toBe(0.5);
});

it('read_region: given a box around a line, reads that line, with boxes of the whole page', async () => {
  const whole = await call('read_image', { path: at('harbour.png') });
  type Answer = {
    pages: { lines: { text: string; box: { x: number; y: number; width: number; height: number } }[] }[];
  };
  const { box } = (whole.structuredContent as Answer).pages[0]!.lines[1]!;
  const around = { x: box.x - 15, y: box.y - 12, width: box.width + 30, height: box.height + 24 };
  const answer = await call('read_region', { path: at('harbour.png'), box: around });
  expect(textOf(answer)).toBe('seven boats');
  const line = (answer.structuredContent as Answer).pages[0]!.lines[0]!;
  expect(Math.abs(line.box.x - box.x)).toBeLessThan(5);
  expect(Math.abs(line.box.y - box.y)).toBeLessThan(5);
});

it.each([
  [
    'a file outside the roots',
    'read_image',
    { path: '/etc/hostname' },
    /no such file in the folders that may be read/,
  ],
  ['a file that is not a picture', 'read_image', { path: 'broken.png' }, /broken.png: not a picture or PDF/],
  ['a missing page', 'read_pages', { path: 'three.pdf', pages: '9' }, /three.pdf: it has 3 pages only/],
  [
    'an invalid page range',
    'read_pages',
    { path: 'three.pdf', pages: 'all' },
    /pages takes numbers and ranges/,
  ],
  [
    'a language that is not installed',
    'read_image',
    { path: 'harbour.png', languages: ['xyz'] },
    /data of a language/,
  ],
  [
    'a region outside the page',
    'read_region',
    { path: 'harbour.png', box: { x: 900, y: 0, width: 9, height: 9 } },
    /outside the page, which has 480 × 160 pixels/,
  ],
])('mcp: given %s, returns an error with the reason', async (_, name, args, message) => {
  const answer = await call(name, args);
  expect([answer.isError, textOf(answer)]).toEqual([true, expect.stringMatching(message)]);
});

it('mcp: aborts a cancelled call, and handles the next one', async () => {
  const cancelled = new AbortController();
  const pending = call('read_pages', { path: 'three.pdf' }, { signal: cancelled.signal });
  setImmediate(() => cancelled.abort('enough'));
  await expect(pending).rejects.toThrow('enough');
  expect(textOf(await call('list_languages', {}))).toContain('eng  English');
});
