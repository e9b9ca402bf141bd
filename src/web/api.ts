import type { PaymentContext, SubscriptionState } from '#contract/billing';
import type { ApiError as ApiErrorBody } from '#contract/errors';
import { HEADERS, shownPerson } from '#contract/headers';
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

interface PersonWatch {
  /** Whose name the page shows; null for nobody, undefined while it does not know. */
  shown: () => string | null | undefined;
  /** The person shown is not the one who is signed in; `now` tells whether anybody is. */
  onChange: (now: 'nobody' | 'another') => void;
}

let watch: PersonWatch | null = null;

/** Tells the server with every call whom the page shows, and the page when that is not so any more. Returns the way out. */
export function watchPerson(next: PersonWatch): () => void {
  watch = next;
  return () => {
    if (watch === next) watch = null;
  };
}

/** Calls that find out or settle who is here: what the page shows does not matter to them. */
const WHOEVER_IS_HERE: ReadonlySet<string> = new Set([API.user, API.usage, API.login, API.logout]);

/** Sends cookies along, and whom the page shows. Answers of every status are answers. */
export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  const shown = WHOEVER_IS_HERE.has(path) ? undefined : watch?.shown();
  const headers = new Headers(init.headers);
  if (shown !== undefined) headers.set(HEADERS.shownPerson, shownPerson(shown));
  const response = await fetch(path, { credentials: 'include', ...init, headers });
  // Of several calls under way the first one tells; what the others were sent with is then past already.
  if (response.headers.has(HEADERS.personChanged) && shown === watch?.shown()) {
    watch?.onChange(response.status === 401 ? 'nobody' : 'another');
  }
  return response;
}

/** Sends cookies along and turns a non-OK answer into an `ApiError`. */
export async function request(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await send(path, init);
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

/** What could be paid for in this browser, and by what. */
export async function getPayment(signal?: AbortSignal): Promise<PaymentContext> {
  const response = await request(API.payment, signal ? { signal } : {});
  const { paymentContextSchema } = await import('#contract/billing');
  return paymentContextSchema.parse(await response.json());
}

/** Null for somebody who never had one. */
export async function getSubscription(signal?: AbortSignal): Promise<SubscriptionState | null> {
  const response = await request(API.subscription, signal ? { signal } : {});
  const { subscriptionResponseSchema } = await import('#contract/billing');
  return subscriptionResponseSchema.parse(await response.json()).subscription;
}
