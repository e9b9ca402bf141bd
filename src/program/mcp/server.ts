/** The engine as tools of the Model Context Protocol. */

import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { CallToolResult, ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { itemAt } from '#formats/checked';
import type { Engine, Recognition, Stage } from '../../library/engine.ts';
import { rangesOf } from '../command-line.ts';
import { failureOf, ReadFailure } from '../documents.ts';
import { readAllowed } from './allowed-files.ts';
import { answerOf, markedText, type PageAnswer, pageSchema } from './answers.ts';
import { readRegion } from './region.ts';

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

export interface McpOptions {
  engine: Engine;
  version: string;
  /** Command-line folders that may be read. */
  folders: readonly string[];
  /** Default languages. */
  languages: readonly string[];
}

/** Maximum number of pages per call, so that the result fits a model's context. */
const MAX_PAGES = 20;
/** Maximum number of characters of a result's text and of its JSON. */
const [MAX_TEXT, MAX_DATA] = [200_000, 2_000_000];

const path = z.string().min(1).max(4096).describe('Path or file: address of an image, a PDF or a TIFF.');
const languages = z
  .array(z.string().min(1).max(40))
  .min(1)
  .max(5)
  .optional()
  .describe('Codes of list_languages, the main one first; the server’s own by default.');
const page = z.int().positive().optional().describe('Of a PDF or TIFF, from 1; 1 by default.');
const side = z.number().min(0).max(1_000_000);
const READ_ONLY = { readOnlyHint: true, openWorldHint: false } as const;
const MARKS = 'In the text, word[?] is doubtful, and [unread: …] is a region whose text was not read.';

/** Creates a server without a connection. Long, because it registers all tools. */
export function createMcpServer({ engine, version, folders, languages: usual }: McpOptions): McpServer {
  const mcp = new McpServer({ name: 'glyphlift', version });

  const bytesOf = async (typed: string) => {
    const hasRoots = mcp.server.getClientCapabilities()?.roots !== undefined;
    const roots = hasRoots ? (await mcp.server.listRoots()).roots.map(({ uri }) => uri) : undefined;
    return readAllowed(typed, { roots, folders });
  };

  mcp.registerTool(
    'read_image',
    {
      title: 'Read an image',
      description: `Extracts the text of an image file (PNG, JPEG, WebP, GIF, BMP, TIFF, HEIC, AVIF) on this machine, with its place and confidence, and its tables. ${MARKS}`,
      inputSchema: { path, languages },
      outputSchema: { pages: z.array(pageSchema) },
      annotations: READ_ONLY,
    },
    async ({ path: typed, languages: wanted = usual }, { signal, ...extra }) =>
      toToolResult(typed, async () => {
        const bytes = await bytesOf(typed);
        const onStage = stagesOf(extra);
        const recognition = await engine.read(bytes, { languages: wanted, signal, onStage });
        return [{ recognition, page: 1, of: 1 }];
      }),
  );

  mcp.registerTool(
    'read_pages',
    {
      title: 'Read pages of a document',
      description: `Extracts the text of pages of a PDF or TIFF on this machine, at most ${MAX_PAGES} in a call, with its place and confidence, and its tables. ${MARKS}`,
      inputSchema: {
        path,
        pages: z.string().max(200).optional().describe('Such as 1-3,7 or 5-; the first ones by default.'),
        languages,
      },
      outputSchema: { pages: z.array(pageSchema) },
      annotations: READ_ONLY,
    },
    async ({ path: typed, pages, languages: wanted = usual }, { signal, ...extra }) =>
      toToolResult(typed, async () => {
        const bytes = await bytesOf(typed);
        const { pages: all } = await engine.pages(bytes, { signal });
        const numbers = pagesIn(pages, all.length);
        let done = 0;
        const progress = progressOf(extra);
        return Promise.all(
          numbers.map(async (number) => {
            const recognition = await engine.read(bytes, { page: number, languages: wanted, signal });
            done++;
            progress(done, numbers.length, `page ${number} is read`);
            return { recognition, page: number, of: all.length };
          }),
        );
      }),
  );

  mcp.registerTool(
    'read_region',
    {
      title: 'Read a part of a page',
      description: `Extracts the text of a rectangle of an image or page, read separately: for small print, or for a region that was doubtful or unread on the whole page. ${MARKS}`,
      inputSchema: {
        path,
        page,
        box: z
          .object({ x: side, y: side, width: side.min(1), height: side.min(1) })
          .describe(
            'As boxes of the other tools: pixels of the upright image, or of the page at 300 dots per inch.',
          ),
        languages,
      },
      outputSchema: { pages: z.array(pageSchema) },
      annotations: READ_ONLY,
    },
    async ({ path: typed, page: number = 1, box, languages: wanted = usual }, { signal }) =>
      toToolResult(typed, async () => {
        const bytes = await bytesOf(typed);
        const region = { page: number, box, languages: wanted, signal };
        return [{ ...(await readRegion(engine, bytes, region)), page: number }];
      }),
  );

  mcp.registerTool(
    'list_languages',
    {
      title: 'List languages',
      description:
        'Lists the languages that can be read on this machine, and the default languages of calls.',
      outputSchema: {
        languages: z.array(z.object({ code: z.string(), name: z.string(), script: z.string() })),
        usual: z.array(z.string()),
      },
      annotations: READ_ONLY,
    },
    async () => {
      const known = (await engine.languages()).map(({ code, name, script }) => ({ code, name, script }));
      const text = known.map(({ code, name }) => `${code}  ${name}`).join('\n');
      return {
        content: [{ type: 'text', text }],
        structuredContent: { languages: known, usual: [...usual] },
      };
    },
  );
  return mcp;
}

/** @throws {ReadFailure} */
function pagesIn(typed: string | undefined, count: number): number[] {
  const all = Array.from({ length: count }, (_, at) => at + 1);
  if (typed === undefined) return all.slice(0, MAX_PAGES);
  const ranges = rangesOf('pages', typed);
  const wanted = all.filter((number) => ranges.some(({ from, to }) => number >= from && number <= to));
  if (wanted.length === 0) throw new ReadFailure('no_such_page', `it has ${count} pages only`);
  if (wanted.length > MAX_PAGES)
    throw new ReadFailure('too_many_pages', `${wanted.length} pages; ask for ${MAX_PAGES} at once`);
  return wanted;
}

interface Read {
  recognition: Recognition;
  page: number;
  of: number;
}

/** Converts a result or failure to a tool result, so that the model can act on a failure. */
async function toToolResult(typed: string, work: () => Promise<Read[]>): Promise<CallToolResult> {
  try {
    const read = await work();
    const pages: PageAnswer[] = [];
    for (const { recognition, page: number, of } of read) pages.push(await answerOf(recognition, number, of));
    const parts = read.map(({ recognition, page: number, of }, at) => {
      const tables = itemAt(pages, at).tables.map(({ markdown }) => markdown);
      const head = of > 1 ? [`--- page ${number} of ${of} ---`] : [];
      return [...head, markedText(recognition), ...tables].filter(Boolean).join('\n\n');
    });
    const text = parts.join('\n\n') || 'No text was found.';
    const structuredContent = { pages };
    if (text.length > MAX_TEXT || JSON.stringify(structuredContent).length > MAX_DATA)
      throw new ReadFailure('too_large', 'there is too much text for one answer; ask for fewer pages');
    return { content: [{ type: 'text', text }], structuredContent };
  } catch (error) {
    const { message, page: number } = failureOf(error);
    const named = message.startsWith(typed) ? message : `${typed}: ${message}`;
    const where = number === undefined ? '' : ` (page ${number})`;
    return { content: [{ type: 'text', text: `${named}${where}` }], isError: true };
  }
}

/** Progress notifications; none if the client sent no progress token. */
function progressOf({ _meta, sendNotification }: Omit<Extra, 'signal'>) {
  const progressToken = _meta?.progressToken;
  return (progress: number, total: number, message: string) => {
    if (progressToken === undefined) return;
    const params = { progressToken, progress, total, message };
    sendNotification({ method: 'notifications/progress', params }).catch(() => {});
  };
}

function stagesOf(extra: Omit<Extra, 'signal'>): (stage: Stage) => void {
  const progress = progressOf(extra);
  return (stage) => {
    if (stage.name === 'reading') progress(stage.line, stage.of, `line ${stage.line} of ${stage.of}`);
  };
}
