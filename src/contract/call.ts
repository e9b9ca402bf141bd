import type { z } from 'zod';
import type { ApiScope } from './api-key-rules.ts';
import { ERRORS, type ErrorCode } from './error-codes.ts';
import type { API_PREFIX } from './paths.ts';

/**
 * Access to a call or page:
 * - `anyone`: no identity is read or set
 * - `visitor`: everyone, identified by the visitor cookie
 * - `owner`: only the visitor who owns the requested resource
 * - `user`: only a signed-in user, for their own data
 * - `provider`: only the payment provider, identified by its signature
 */
export type Access = 'anyone' | 'visitor' | 'owner' | 'user' | 'provider';

/** Separate rate limits, besides the limit of all calls. */
export type RateClass = 'preview' | 'policy-report';

/** A response without a JSON schema. */
export type PlainAnswer =
  /** A file of this type. */
  | { kind: 'file'; type: string; description: string }
  /** Server-sent events without a name, each with JSON of this schema. */
  | { kind: 'events'; data: z.ZodType; description: string }
  /** Success without data: an empty object. */
  | { kind: 'done'; description: string }
  /** A redirect. */
  | { kind: 'redirect'; description: string }
  | { kind: 'nothing'; description: string };

export const DONE = { kind: 'done', description: 'Done.' } as const satisfies PlainAnswer;

/**
 * A redirect from a provider to the start page, with the outcome in the query.
 * @param outcomes such as `auth=linked`
 */
export const redirectsHome = (outcomes: readonly string[]) => {
  const oneOf = new Intl.ListFormat('en', { type: 'disjunction' }).format(outcomes);
  return { 303: { kind: 'redirect', description: `To the start page with ${oneOf} in its query.` } } as const;
};

/** A response header for API clients. */
export type AnswerHeader = 'Location' | 'Retry-After' | 'WWW-Authenticate' | 'RateLimit' | 'RateLimit-Policy';

export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Has `:name` for each of `params`. */
  readonly path: `${typeof API_PREFIX}${string}`;
  readonly summary: string;
  /** Further documentation. Text without Markdown. */
  readonly description?: string;
  readonly access: Access;
  /**
   * The scope that an API key needs for this call; `ignored` if no identity is read. Without it API keys are rejected.
   */
  readonly key?: ApiScope | 'ignored';
  readonly limits?: {
    /** Limit of the body in bytes; 64 kB by default. */
    readonly bodyBytes?: number;
    readonly rate?: RateClass;
    /** Allows a long query, for callbacks of sign-in providers. */
    readonly longAddress?: boolean;
  };
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  /** JSON body. The schema has the error messages. */
  readonly body?: z.ZodType;
  /** Multipart form with files, which the route reads part by part. */
  readonly form?: z.ZodObject;
  /** The same request in other content types, which the route reads itself. */
  readonly alsoTakes?: Readonly<Record<string, { schema: z.ZodType; example?: unknown }>>;
  /** Content types of a raw body, which the route parses. */
  readonly raw?: readonly string[];
  /** The success response by its status. All other responses are an `ApiError`. */
  readonly answers: Readonly<Record<number, z.ZodType | PlainAnswer>>;
  /** Other content types of the success response, selected by `Accept`. */
  readonly alsoAs?: Readonly<Record<string, string>>;
  /** Headers of the success response, besides those of all calls of its kind. */
  readonly answerHeaders?: readonly AnswerHeader[];
  /** Its own errors, besides those of all calls of its kind (`errorsOf`). */
  readonly errors?: readonly ErrorCode[];
}

/** Declares a call, for the server's route, the page's client and the documentation. */
export const call = <const C extends Call>(declared: C): C => declared;

/** The path of a call with its parameters filled in. */
export const urlOf = ({ path }: Call, params: Readonly<Record<string, string>> = {}): string =>
  path.replaceAll(/:(\w+)/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''));

/** Status and content of a call's success response. */
export function answerOf({ answers, method, path }: Call): {
  status: number;
  answer: z.ZodType | PlainAnswer;
} {
  const [first, ...others] = Object.entries(answers);
  if (!first || others.length > 0) throw new Error(`${method} ${path} has not exactly one answer`);
  return { status: Number(first[0]), answer: first[1] };
}

/** The scope that a call needs; null if it does not accept keys. */
export const keyScopeOf = ({ key }: Pick<Call, 'key'>): ApiScope | null =>
  key === undefined || key === 'ignored' ? null : key;

export const isPlain = (answer: z.ZodType | PlainAnswer): answer is PlainAnswer => 'kind' in answer;

const COMMON_ERRORS: readonly ErrorCode[] = [
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

/** Errors of API keys. */
const KEY_ERRORS: readonly ErrorCode[] = [
  'api_keys.unknown',
  'api_keys.out_of_scope',
  'api_keys.premium_over',
  'accounts.too_many_attempts',
];

/** All errors of a call, its own first. */
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
      ...(keyScopeOf(call) ? KEY_ERRORS : []),
      ...COMMON_ERRORS,
    ]),
  ];
}

/** The statuses of an error: one, except for a few that depend on the caller. */
export const statusesOf = (code: ErrorCode): readonly number[] => [ERRORS[code].status].flat();
