/** The server rejected a call. `code` is stable, `message` is a user message. */
export class GlyphliftError extends Error {
  override name = 'GlyphliftError';

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** Retry-After in seconds, if the server sent it. */
    readonly retryAfter: number | undefined,
  ) {
    super(message);
  }
}

/** A job did not end within the timeout. */
export class JobTimeout extends Error {
  override name = 'JobTimeout';
}

/** The webhook signature is missing, wrong or expired. */
export class WebhookRefused extends Error {
  override name = 'WebhookRefused';
}

/** From a response, which may not be JSON if it is from a proxy. */
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
