import { GlyphliftError } from '../../clients/typescript/src/index.ts';

/** User message of a failed call. */
export function explain(error: unknown, server: string): string {
  if (error instanceof GlyphliftError && error.status === 401)
    return `${server} does not accept this API key. Check it in the options.`;
  if (error instanceof GlyphliftError && error.status !== 404) return error.message;
  if (error instanceof TypeError)
    return `${server} could not be reached. Check your connection, and the address in the options.`;
  return `The server at ${server} is not Glyphlift. Check the address in the options.`;
}
