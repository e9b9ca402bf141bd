/** `glyphlift mcp`: the engine for clients of the Model Context Protocol, on standard input and output. */
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createEngine } from '../library/engine.ts';
import { languageFoldersOfEnvironment } from '../server/language-folders.ts';
import { createMcpServer } from './mcp/server.ts';
import { languagesOf, requireLanguages } from './read.ts';

export interface McpCommandOptions {
  languages?: string[];
  jobs?: number;
}

/** Serves until the client disconnects. @returns the exit status. @throws {UsageError} */
export async function mcpCommand(
  folders: readonly string[],
  { languages: typed, jobs }: McpCommandOptions,
  version: string,
): Promise<number> {
  const languages = languagesOf(typed);
  const engine = createEngine({
    languageFolders: languageFoldersOfEnvironment(),
    ...(jobs !== undefined && { jobs }),
  });
  try {
    await requireLanguages(languages, engine);
    const mcp = createMcpServer({ engine, version, folders, languages });
    const ended = new Promise<void>((resolve) => {
      mcp.server.onclose = resolve;
      process.stdin.once('end', () => void mcp.close());
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void mcp.close());
    });
    await mcp.connect(new StdioServerTransport());
    // Starts the engine early, so that it is ready for the first call.
    engine.ready().catch(() => {});
    await ended;
    return 0;
  } finally {
    await engine.close();
  }
}
