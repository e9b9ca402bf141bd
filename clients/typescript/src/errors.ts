/** The server refused a call. `code` is stable, `message` is a sentence for people. */
export class GlyphliftError extends Error {
  override name = 'GlyphliftError';

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** Seconds after which it is worth trying again, where the server said so. */
    readonly retryAfter: number | undefined,
  ) {
    super(message);
  }
}

/** A job did not end within the time that was allowed. */
export class JobTimeout extends Error {
  override name = 'JobTimeout';
}

/** A request is not a webhook that the server signed just now. */
export class WebhookRefused extends Error {
  override name = 'WebhookRefused';
}

/** From an answer, which may be that of a proxy. */
export async function errorOf(response: Response): Promise<GlyphliftError> {
  const { status, statusText } = response;
  const said = (await response.json().catch(() => null)) as Record<string, unknown> | null;
  const code = typeof said?.code === 'string' ? said.code : 'http.unknown';
  const message = typeof said?.error === 'string' ? said.error : statusText;
  return new GlyphliftError(status, code, message, retryAfterOf(response));
}

/** The header in seconds; undefined without it, or where it is a date. */
export function retryAfterOf({ headers }: Response): number | undefined {
  const value = headers.get('retry-after');
  return value !== null && /^\d+$/.test(value) ? Number(value) : undefined;
}
