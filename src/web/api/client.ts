import type { z } from 'zod';
import type { Call, PlainAnswer } from '#contract/call';
import type { ErrorCode } from '#contract/error-codes';
import type { ApiError as ApiErrorBody } from '#contract/errors';
import { HEADERS, shownPerson } from '#contract/headers';
import type { OnSent } from './send-with-progress.ts';

/*
 * The API client. Calls are named by method and path, `POST /api/login`; the contract declares their input and response.
 * The declarations and their schemas are loaded on the first response that is validated, because the first view needs no
 * call: the server renders its data into the page.
 */

/** A response that is not OK. `message` is the status, a colon, a space and the body's text (or the status text). */
export class ApiError extends Error {
  readonly status: number;
  /** The unparsed body; empty if the response has none. */
  readonly body: string;

  constructor(status: number, statusText: string, body: string) {
    super(`${status}: ${body || statusText}`);
    this.name = 'ApiError';
    this.status = status;
    this.body = body;
  }

  /**
   * The `error` sentence, the code and the flags of the body. Empty if the server sent none or the schema cannot be
   * loaded.
   */
  async details(): Promise<Partial<ApiErrorBody>> {
    try {
      const { apiErrorSchema } = await import('#contract/errors');
      return apiErrorSchema.parse(JSON.parse(this.body));
    } catch {
      return {};
    }
  }
}

/** The call succeeded, but its response does not match the contract. */
export class InvalidResponse extends Error {
  override name = 'InvalidResponse';
}

/** The server's message about a failed call; `fallback` if it sent none or did not respond. */
export async function reasonOf(error: unknown, fallback: string): Promise<string> {
  return (error instanceof ApiError && (await error.details()).error) || fallback;
}

/** Whether the server refused the call with one of these error codes. */
export async function failedBy(error: unknown, ...codes: ErrorCode[]): Promise<boolean> {
  if (!(error instanceof ApiError)) return false;
  const { code } = await error.details();
  return codes.some((one) => one === code);
}

interface DisplayedUser {
  /** The username that the page displays; null while signed out, undefined while unknown. */
  shown: () => string | null | undefined;
  /** The page displays a user who is no longer signed in. `now`: whether another user is signed in instead. */
  onChange: (now: 'signed-out' | 'other-user') => void;
}

let watch: DisplayedUser | null = null;

/**
 * Sends the user that the page displays as a header of every call, and reports when the session no longer matches. Returns
 * an unsubscribe function.
 */
export function watchDisplayedUser(next: DisplayedUser): () => void {
  watch = next;
  return () => {
    if (watch === next) watch = null;
  };
}

/** Calls that read or change the signed-in user. They are sent without the displayed user. */
const IDENTITY_CALLS: ReadonlySet<string> = new Set([
  'GET /api/user',
  'GET /api/usage',
  'POST /api/login',
  'POST /api/logout',
]);

type Declared = Readonly<Record<string, Call>>;
type CallIn<Calls extends Declared> = Calls[keyof Calls];
type NameOf<C extends Call> = C extends Call ? `${C['method']} ${C['path']}` : never;
type CallNamed<C extends Call, Name> = C extends Call ? (Name extends NameOf<C> ? C : never) : never;
type ResponseOf<C extends Call> = C['answers'][keyof C['answers']];
/** The calls whose response has the type `Kind`. */
type CallWithResponse<C extends Call, Kind> = C extends Call
  ? ResponseOf<C> extends Kind
    ? C
    : never
  : never;

type Part<Name extends string, Schema> = Schema extends z.ZodType
  ? Record<never, never> extends z.input<Schema>
    ? { [_ in Name]?: z.input<Schema> }
    : { [_ in Name]: z.input<Schema> }
  : unknown;
type Address<C extends Call> = Part<'params', C['params']> & Part<'query', C['query']>;
type Sent<C extends Call> = Address<C> &
  Part<'headers', C['headers']> &
  Part<'body', C['body']> &
  Part<'form', C['form']> & { signal?: AbortSignal; onSent?: OnSent };
/** Optional if every part of it is. */
type Optional<T> = Record<never, never> extends T ? [sent?: T] : [sent: T];

export interface Client<Calls extends Declared> {
  /** Loads the declarations in advance. */
  load(): Promise<Calls>;

  /** The URL of a GET call, for a link or a navigation. */
  address<N extends NameOf<CallIn<Calls> & { method: 'GET' }>>(
    name: N,
    ...sent: Optional<Address<CallNamed<CallIn<Calls>, N>>>
  ): string;

  /** Makes a call without reading a JSON response. @throws {ApiError} for a response that is not OK. */
  send<N extends NameOf<CallIn<Calls>>>(
    name: N,
    ...sent: Optional<Sent<CallNamed<CallIn<Calls>, N>>>
  ): Promise<Response>;

  /**
   * Makes a call and parses its JSON response.
   * @throws {ApiError} for a response that is not OK
   * @throws {InvalidResponse} for a response that violates the contract
   */
  ask<N extends NameOf<CallWithResponse<CallIn<Calls>, z.ZodType>>>(
    name: N,
    ...sent: Optional<Sent<CallNamed<CallIn<Calls>, N>>>
  ): Promise<z.output<Extract<ResponseOf<CallNamed<CallIn<Calls>, N>>, z.ZodType>>>;

  /** Subscribes to events until `onEvent` returns `stop`, an event cannot be parsed, or `signal` aborts. */
  listen<N extends NameOf<CallWithResponse<CallIn<Calls>, { kind: 'events' }>>>(
    name: N,
    sent: Address<CallNamed<CallIn<Calls>, N>> & { signal: AbortSignal },
    onEvent: (
      event: z.output<Extract<ResponseOf<CallNamed<CallIn<Calls>, N>>, { data: z.ZodType }>['data']>,
    ) => 'stop' | undefined,
  ): void;
}

/** A call's input at run time, without its exact types. */
interface AnySent {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | undefined>>;
  headers?: Readonly<Record<string, string | undefined>>;
  body?: unknown;
  /** Fields in the order in which they are sent. */
  form?: Readonly<Record<string, string | File | undefined>>;
  signal?: AbortSignal;
  onSent?: OnSent;
}

/** @param load imports the declarations; called for every response that is validated */
function callsOf<Calls extends Declared>(load: () => Promise<Calls>): Client<Calls> {
  const declaredResponse = async (name: string): Promise<z.ZodType | PlainAnswer> => {
    const call = Object.values(await load()).find(({ method, path }) => `${method} ${path}` === name);
    const [declared] = Object.values(call?.answers ?? {});
    if (!declared) throw new Error(`The contract has no call ${name}`);
    return declared;
  };

  // `Client` has the public types; the implementation is untyped.
  const client = {
    load,
    address: (name: string, sent?: AnySent) => urlOf(name, sent),
    send: (name: string, sent?: AnySent) => request(name, sent),

    async ask(name: string, sent?: AnySent) {
      const response = await request(name, sent);
      const text = await response.text();
      try {
        const declared = await declaredResponse(name);
        if ('kind' in declared) throw new Error(`${name} has no JSON response`);
        return declared.parse(JSON.parse(text));
      } catch (cause) {
        throw new InvalidResponse(`The response of ${name} violates the contract`, { cause });
      }
    },

    listen(name: string, sent: AnySent & { signal: AbortSignal }, onEvent: (event: unknown) => unknown) {
      const { signal } = sent;
      // Nothing would close the `EventSource`, which reconnects forever.
      if (signal.aborted) return;
      const source = new EventSource(urlOf(name, sent));
      signal.addEventListener('abort', () => source.close(), { once: true });
      source.onmessage = async ({ data }: MessageEvent<string>) => {
        try {
          const declared = await declaredResponse(name);
          if (!('data' in declared)) throw new Error(`${name} is not an event stream`);
          const event = declared.data.parse(JSON.parse(data));
          if (!signal.aborted && onEvent(event) === 'stop') source.close();
        } catch {
          source.close();
        }
      };
    },
  };
  return client as Client<Calls>;
}

function urlOf(name: string, { params = {}, query = {} }: Pick<AnySent, 'params' | 'query'> = {}): string {
  const path = name
    .slice(name.indexOf(' ') + 1)
    .replaceAll(/:(\w+)/g, (_all, param: string) => encodeURIComponent(params[param] ?? ''));
  const search = new URLSearchParams(withoutUndefined(query)).toString();
  return search === '' ? path : `${path}?${search}`;
}

/** Sends cookies and the displayed user; throws an `ApiError` for a response that is not OK. */
async function request(name: string, sent: AnySent = {}): Promise<Response> {
  const shown = IDENTITY_CALLS.has(name) ? undefined : watch?.shown();
  const headers = new Headers(withoutUndefined(sent.headers ?? {}));
  if (sent.body !== undefined) headers.set('content-type', 'application/json');
  if (shown !== undefined) headers.set(HEADERS.shownPerson, shownPerson(shown));
  const init: RequestInit = {
    method: name.slice(0, name.indexOf(' ')),
    credentials: 'include',
    headers,
    ...(sent.signal && { signal: sent.signal }),
    ...(sent.body !== undefined && { body: JSON.stringify(sent.body) }),
    ...(sent.form && { body: formOf(sent.form) }),
  };
  const { onSent } = sent;
  const send = onSent
    ? (await import('./send-with-progress.ts')).sendWithProgress
    : (address: string) => fetch(address, init);
  const response = await send(urlOf(name, sent), init, onSent);
  // Reports a change once: responses to requests that were sent for the previous user are ignored.
  if (response.headers.has(HEADERS.personChanged) && shown === watch?.shown()) {
    watch?.onChange(response.status === 401 ? 'signed-out' : 'other-user');
  }
  if (!response.ok) throw new ApiError(response.status, response.statusText, await response.text());
  return response;
}

function formOf(fields: NonNullable<AnySent['form']>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(withoutUndefined(fields))) form.set(name, value);
  return form;
}

/** Without undefined fields. */
function withoutUndefined<T>(fields: Readonly<Record<string, T | undefined>>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, T] => field[1] !== undefined),
  );
}

/* The clients, one for each slice of the server. */

export const recognition = callsOf(() => import('#contract/calls/recognition'));
export const accounts = callsOf(() => import('#contract/calls/accounts'));
export const registration = callsOf(() => import('#contract/calls/registration'));
export const billing = callsOf(() => import('#contract/calls/billing'));
export const savedTexts = callsOf(() => import('#contract/calls/saved-texts'));
export const apiKeys = callsOf(() => import('#contract/calls/api-keys'));
export const webhooks = callsOf(() => import('#contract/calls/webhooks'));
export const waitlist = callsOf(() => import('#contract/calls/waitlist'));
export const site = callsOf(() => import('#contract/calls/site'));
export const content = callsOf(() => import('#contract/calls/content'));
