import type { z } from 'zod';
import type { ApiScope } from './api-key-rules.ts';
import { ERRORS, type ErrorCode } from './error-codes.ts';
import type { API_PREFIX } from './paths.ts';

/**
 * Who may make a call or open a page:
 * - `anyone`: no identity is looked at or handed out
 * - `visitor`: everyone, known by the visitor's cookie
 * - `owner`: only the visitor to whom the requested thing belongs
 * - `user`: only a signed-in user, and only about themselves
 * - `provider`: only the payment provider, known by its signature
 */
export type Access = 'anyone' | 'visitor' | 'owner' | 'user' | 'provider';

/** Calls that are limited on their own, besides the limit of all calls. */
export type RateClass = 'preview' | 'policy-report';

/** An answer that is not JSON of a schema. */
export type PlainAnswer =
  /** A file of this type. */
  | { kind: 'file'; type: string; description: string }
  /** Server-sent events without a name, each with this as JSON. */
  | { kind: 'events'; data: z.ZodType; description: string }
  /** Done, and nothing to tell: an empty object. */
  | { kind: 'done'; description: string }
  /** The browser is sent elsewhere. */
  | { kind: 'redirect'; description: string }
  | { kind: 'nothing'; description: string };

export const DONE = { kind: 'done', description: 'Done.' } as const satisfies PlainAnswer;

/**
 * The browser was elsewhere and is sent on to the start page, whose query says what came of it.
 * @param outcomes such as `auth=linked`
 */
export const backHome = (outcomes: readonly string[]) => {
  const oneOf = new Intl.ListFormat('en', { type: 'disjunction' }).format(outcomes);
  return { 303: { kind: 'redirect', description: `To the start page with ${oneOf} in its query.` } } as const;
};

/** A header of an answer that a program reads. */
export type AnswerHeader = 'Location' | 'Retry-After' | 'WWW-Authenticate' | 'RateLimit' | 'RateLimit-Policy';

export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With `:name` in the place of each of `params`. */
  readonly path: `${typeof API_PREFIX}${string}`;
  readonly summary: string;
  /** What a caller has to know besides. Text without Markdown. */
  readonly description?: string;
  readonly access: Access;
  /**
   * The scope that a program's key needs for this call; `ignored` where no identity is looked at, that of a key
   * included. Without it every key is refused.
   */
  readonly key?: ApiScope | 'ignored';
  readonly limits?: {
    /** Bytes of a body; 64 kB if not said. */
    readonly bodyBytes?: number;
    readonly rate?: RateClass;
    /** Its address may be as long as a sign-in provider makes it. */
    readonly longAddress?: boolean;
  };
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  /** Sent as JSON. The schema's own messages say what is wrong with it. */
  readonly body?: z.ZodType;
  /** Sent as a form with files. The route reads it part by part. */
  readonly form?: z.ZodObject;
  /** The same request in other content types, which the route reads itself: what its JSON or its bytes are. */
  readonly alsoTakes?: Readonly<Record<string, { schema: z.ZodType; example?: unknown }>>;
  /** A body that is left as it came, by its content types. */
  readonly raw?: readonly string[];
  /** The one answer that is no failure, under its status. The body of every other is an `ApiError`. */
  readonly answers: Readonly<Record<number, z.ZodType | PlainAnswer>>;
  /** Other content types of the same answer, for clients that ask for one by `Accept`. */
  readonly alsoAs?: Readonly<Record<string, string>>;
  /** Headers of the one answer that say something of it; those that every call of its kind has are not repeated. */
  readonly answerHeaders?: readonly AnswerHeader[];
  /** Its own failures; those that every call of its kind has are in `errorsOf`. */
  readonly errors?: readonly ErrorCode[];
}

/** States a call once: the server registers from it, the page calls by it, and the documentation comes out of it. */
export const call = <const C extends Call>(declared: C): C => declared;

/** A call's address with the parameters of its path filled in. */
export const addressOf = ({ path }: Call, params: Readonly<Record<string, string>> = {}): string =>
  path.replaceAll(/:(\w+)/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''));

/** The status of a call's answer, and what it is. */
export function answerOf({ answers, method, path }: Call): {
  status: number;
  answer: z.ZodType | PlainAnswer;
} {
  const [first, ...others] = Object.entries(answers);
  if (!first || others.length > 0) throw new Error(`${method} ${path} has not exactly one answer`);
  return { status: Number(first[0]), answer: first[1] };
}

/** The scope that a call needs; null where no key opens it, or none is looked at. */
export const keyScopeOf = ({ key }: Pick<Call, 'key'>): ApiScope | null =>
  key === undefined || key === 'ignored' ? null : key;

export const isPlain = (answer: z.ZodType | PlainAnswer): answer is PlainAnswer => 'kind' in answer;

const EVERYWHERE: readonly ErrorCode[] = [
  'http.not_understood',
  'http.no_host',
  'http.bad_host',
  'http.odd_address',
  'http.address_too_long',
  'http.unkeepable_text',
  'http.too_many_requests',
  'http.failed',
  'http.outcome_unknown',
  'http.unavailable',
];

/** Refusals of a key by a call that keys open. */
const KEY_REFUSED: readonly ErrorCode[] = [
  'api_keys.unknown',
  'api_keys.out_of_scope',
  'api_keys.premium_over',
  'accounts.too_many_attempts',
];

/** Every failure that a call may answer with, its own first. */
export function errorsOf(call: Call): ErrorCode[] {
  const { method, access, key, params, query, body, form, raw, errors = [] } = call;
  const known = access !== 'anyone' && access !== 'provider';
  const sends = method !== 'GET';
  return [
    ...new Set<ErrorCode>([
      ...errors,
      ...(params || query ? (['http.invalid_request'] as const) : []),
      ...(body ? (['http.invalid_body'] as const) : []),
      ...(access === 'user' ? (['accounts.sign_in_required'] as const) : []),
      ...(known ? (['accounts.session_ended', 'accounts.signed_in_as_another'] as const) : []),
      ...(sends && access !== 'provider' ? (['http.foreign_origin'] as const) : []),
      ...(sends || body || form || raw
        ? (['http.body_too_large', 'http.too_slow', 'http.unknown_type'] as const)
        : []),
      ...(access === 'anyone' ? [] : (['http.stopping'] as const)),
      ...(key === undefined ? (['api_keys.not_for_this_call'] as const) : []),
      ...(keyScopeOf(call) ? KEY_REFUSED : []),
      ...EVERYWHERE,
    ]),
  ];
}

/** The statuses of a failure: one, but for a few that depend on who asks. */
export const statusesOf = (code: ErrorCode): readonly number[] => [ERRORS[code].status].flat();
