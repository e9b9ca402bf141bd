import { HttpResponse, http, type JsonBodyType, type RequestHandler } from 'msw';
import { setupWorker } from 'msw/browser';
import type { z } from 'zod';
import type { User } from '#contract/account';
import type { PaymentContext, SubscriptionState } from '#contract/billing';
import { answerOf, type Call, isPlain } from '#contract/call';
import * as people from '#contract/calls/accounts';
import * as paying from '#contract/calls/billing';
import * as recognition from '#contract/calls/recognition';
import type { ApiError } from '#contract/errors';
import type { Extraction, Usage } from '#contract/extraction';
import type { languagesResponseSchema } from '#contract/languages';
import { DAILY_LIMIT_REACHED } from '#contract/product';
import note from '../fixtures/readings/note.json' with { type: 'json' };

/* The mocked server of component tests: its responses match the contract and contain recorded results of the engine. */

/** The state of the mocked server; a test may change it at any time. */
export interface ServerState {
  user: User | null;
  usage: Usage;
  payment: PaymentContext;
  subscription: SubscriptionState | null;
  languages: z.infer<typeof languagesResponseSchema>['languages'];
  /** The result of the next picture. It counts one extraction if it has text, like on the real server. */
  extraction: Extraction;
}

export const visitorState = (): ServerState => ({
  user: null,
  usage: { imageCount: 0, dailyLimit: 3, period: 'day', resetsAt: '2026-05-05T00:00:00.000Z' },
  payment: { provider: 'demo', payingFor: null, finished: null, claim: null },
  subscription: null,
  languages: [{ code: 'eng', name: 'English', allowed: true, installed: true }],
  extraction: recorded(note),
});

/** A copy of a recorded result; a test may change it. */
export const recorded = (reading: unknown): Extraction => structuredClone(reading) as Extraction;

export const worker = setupWorker();

/** Every call since the start of the test, such as `POST /api/login`, with its request. */
export const requests: { call: string; request: Request }[] = [];
worker.events.on('request:start', ({ request }) => {
  const { pathname } = new URL(request.url);
  if (pathname.startsWith('/api/'))
    requests.push({ call: `${request.method} ${pathname}`, request: request.clone() });
});

/** The number of requests to a call since the start of the test. */
export const requestCount = (call: string): number => requests.filter((one) => one.call === call).length;

type Answer<C extends Call> = C['answers'][keyof C['answers']] extends infer A
  ? A extends z.ZodType
    ? z.input<A>
    : unknown
  : never;

export type Answerer<C extends Call> = (
  request: Request,
  params: Record<string, string>,
) => Answer<C> | Response | Promise<Answer<C> | Response>;

/**
 * The handler of a declared call. The contract's schema validates the response body. `answer` may use the request, may wait,
 * and may return a `refusal`.
 */
export function answers<C extends Call>(call: C, answer: Answerer<C>): RequestHandler {
  const { status, answer: shape } = answerOf(call);
  return http[method(call)](call.path, async ({ request, params }) => {
    const body = await answer(request, params as Record<string, string>);
    if (body instanceof Response) return body;
    if (isPlain(shape)) return HttpResponse.json({}, { status });
    return HttpResponse.json(shape.parse(body) as JsonBodyType, { status });
  });
}

/** A handler that answers a declared call with an error. */
export function respondsWithError(
  call: Call,
  status: number,
  body: ApiError,
  headers: Record<string, string> = {},
): RequestHandler {
  return http[method(call)](call.path, () => errorResponse(status, body, headers));
}

/** An error response. */
export const errorResponse = (
  status: number,
  body: ApiError,
  headers: Record<string, string> = {},
): Response => HttpResponse.json(body as JsonBodyType, { status, headers });

/** A handler that breaks the connection of every request to a call. */
export const losesConnection = (call: Call): RequestHandler =>
  http[method(call)](call.path, () => HttpResponse.error());

/** Rejects a picture if the visitor's quota is used up, like the server. Until then the next handler answers. */
export const enforcesQuota = (state: ServerState): RequestHandler =>
  http.post(recognition.extractText.path, () => {
    if (state.usage.imageCount < state.usage.dailyLimit) return undefined;
    return errorResponse(429, {
      error: DAILY_LIMIT_REACHED,
      code: 'recognition.quota_used_up',
      limitExceeded: true,
      requiresAuth: true,
    }) as HttpResponse<never>;
  });

const method = ({ method }: Call) => method.toLowerCase() as 'get' | 'post' | 'patch' | 'delete';

/** The handlers of the calls that every page may make. A call without a handler fails the test. */
export function handlersOf(state: ServerState): RequestHandler[] {
  return [
    http.get('/api/user', () =>
      state.user
        ? HttpResponse.json({ user: state.user })
        : HttpResponse.json({ error: 'Not authenticated' }, { status: 401 }),
    ),
    answers(recognition.getUsage, () => state.usage),
    answers(recognition.listLanguages, () => ({ languages: state.languages })),
    answers(recognition.extractText, () => {
      const { extraction } = state;
      if (extraction.extractedText !== '')
        state.usage = { ...state.usage, imageCount: state.usage.imageCount + 1 };
      return extraction;
    }),
    http.get(
      '/api/extractions/:id/events',
      () =>
        new HttpResponse('data: {"stage":"decoding"}\n\ndata: {"stage":"done"}\n\n', {
          headers: { 'content-type': 'text/event-stream' },
        }),
    ),
    answers(paying.getPayment, () => state.payment),
    answers(paying.getSubscription, () => ({ subscription: state.subscription })),
    answers(people.logout, () => {
      state.user = null;
      return {};
    }),
  ];
}
