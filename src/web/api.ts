import type { ApiError as ApiErrorBody } from '#contract/errors';
import { API } from '#contract/paths';
import type { Usage } from '#contract/usage';
import type { User } from '#contract/user';

/*
 * Schemas are loaded with the answer that they check: the first view has its data from the server already.
 */

/** A non-OK answer. `message` is the status, a colon, a space and the body's text (or the status text). */
export class ApiError extends Error {
  readonly status: number;
  /** The body as it came; empty when there was none. */
  readonly body: string;

  constructor(status: number, statusText: string, body: string) {
    super(`${status}: ${body || statusText}`);
    this.name = 'ApiError';
    this.status = status;
    this.body = body;
  }

  /** The `error` sentence and the flags of the body, if the server sent any. */
  async details(): Promise<Partial<ApiErrorBody>> {
    const { apiErrorSchema } = await import('#contract/errors');
    try {
      return apiErrorSchema.parse(JSON.parse(this.body));
    } catch {
      return {};
    }
  }
}

/** The server's own sentence about a failed call, or `fallback` when it sent none or no answer came. */
export async function reasonOf(error: unknown, fallback: string): Promise<string> {
  return (error instanceof ApiError && (await error.details()).error) || fallback;
}

/** Sends cookies along and turns a non-OK answer into an `ApiError`. */
export async function request(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(path, { credentials: 'include', ...init });
  if (!response.ok) throw new ApiError(response.status, response.statusText, await response.text());
  return response;
}

/** POSTs JSON; `body` left out sends none. */
export function postJson(path: string, body?: unknown): Promise<Response> {
  return request(path, {
    method: 'POST',
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
}

/** Null when signed out, which is no error. */
export async function getUser(signal?: AbortSignal): Promise<User | null> {
  try {
    const response = await request(API.user, signal ? { signal } : {});
    const { userResponseSchema } = await import('#contract/user');
    return userResponseSchema.parse(await response.json()).user;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw new Error('Failed to fetch user', { cause: error });
  }
}

export async function getUsage(signal?: AbortSignal): Promise<Usage> {
  try {
    const response = await request(API.usage, signal ? { signal } : {});
    const { usageSchema } = await import('#contract/usage');
    return usageSchema.parse(await response.json());
  } catch (error) {
    throw new Error('Failed to fetch usage', { cause: error });
  }
}
