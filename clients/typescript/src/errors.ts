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

/** The error of a response. The body may not be JSON if a proxy sent it. */
export async function errorOf(response: Response): Promise<GlyphliftError> {
  const { status, statusText } = response;
  const body = (await response.json().catch(() => null)) as Record<string, unknown> | null;
  const code = typeof body?.code === 'string' ? body.code : 'http.unknown';
  const message = typeof body?.error === 'string' ? body.error : statusText;
  return new GlyphliftError(status, code, message, retryAfterOf(response));
}

/** The Retry-After header in seconds; undefined without the header, or if it is a date. */
export function retryAfterOf({ headers }: Response): number | undefined {
  const value = headers.get('retry-after');
  return value !== null && /^\d+$/.test(value) ? Number(value) : undefined;
}
