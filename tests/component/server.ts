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

/* The server as a component test meets it: answers of the contract's shapes, recorded readings of the engine. */

/** What the server knows; a test changes it as it likes. */
export interface ServerState {
  user: User | null;
  usage: Usage;
  payment: PaymentContext;
  subscription: SubscriptionState | null;
  languages: z.infer<typeof languagesResponseSchema>['languages'];
  /** What the next picture reads as. Each reading counts one extraction, as the real server does where there is text. */
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

/** A recorded reading, free to be changed by a test. */
export const recorded = (reading: unknown): Extraction => structuredClone(reading) as Extraction;

export const worker = setupWorker();

/** Every call that was made since the test began, as `POST /api/login`, with what was sent. */
export const requests: { call: string; request: Request }[] = [];
worker.events.on('request:start', ({ request }) => {
  const { pathname } = new URL(request.url);
  if (pathname.startsWith('/api/'))
    requests.push({ call: `${request.method} ${pathname}`, request: request.clone() });
});

/** How often this call was made since the test began. */
export const timesAsked = (call: string): number => requests.filter((one) => one.call === call).length;

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
 * Answers a declared call; the answer has the shape that the contract gives it. `answer` may look at the request and may wait,
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

/** Refuses a declared call with this status and body. */
export function refuses(
  call: Call,
  status: number,
  body: ApiError,
  headers: Record<string, string> = {},
): RequestHandler {
  return http[method(call)](call.path, () => refusal(status, body, headers));
}

/** An answer that is not a success. */
export const refusal = (status: number, body: ApiError, headers: Record<string, string> = {}): Response =>
  HttpResponse.json(body as JsonBodyType, { status, headers });

/** The connection breaks whenever this call is made. */
export const loses = (call: Call): RequestHandler =>
  http[method(call)](call.path, () => HttpResponse.error());

/** Refuses a picture of a visitor whose quota is used up, as the server does; until then the next handler answers. */
export const enforcesQuota = (state: ServerState): RequestHandler =>
  http.post(recognition.extractText.path, () => {
    if (state.usage.imageCount < state.usage.dailyLimit) return undefined;
    return refusal(429, {
      error: DAILY_LIMIT_REACHED,
      code: 'recognition.quota_used_up',
      limitExceeded: true,
      requiresAuth: true,
    }) as HttpResponse<never>;
  });

const method = ({ method }: Call) => method.toLowerCase() as 'get' | 'post' | 'patch' | 'delete';

/** What every page may ask. A call that no handler answers fails the test. */
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
