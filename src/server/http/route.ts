import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { z } from 'zod';
import { answerOf, type Call, isPlain } from '#contract/call';
import { createError } from './errors.ts';

type Read<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
type AnswerTo<C extends Call> = C['answers'][keyof C['answers']];

/** A request whose input was validated by the contract. */
export interface RouteContext<C extends Call> {
  request: FastifyRequest;
  reply: FastifyReply;
  params: Read<C['params']>;
  query: Read<C['query']>;
  body: Read<C['body']>;
}

/** A handler's result: the content of the response, undefined for an empty response, or the reply that it sent itself. */
type HandlerResult<C extends Call> =
  AnswerTo<C> extends z.ZodType
    ? z.input<AnswerTo<C>> | Promise<z.input<AnswerTo<C>>> | FastifyReply
    : AnswerTo<C> extends { kind: 'done' | 'nothing' }
      ? Promise<void>
      : FastifyReply | Promise<FastifyReply>;

/**
 * Registers a call as declared in the contract: path, access, body limit, input and response. A response that violates the
 * declaration is a server error and is not sent.
 * @param hooks for checks before the body is parsed
 */
export function route<const C extends Call>(
  app: FastifyInstance,
  call: C,
  handle: (context: RouteContext<C>) => HandlerResult<C>,
  hooks: Pick<RouteShorthandOptions, 'onRequest' | 'preHandler'> = {},
): void {
  const { method, path, access, limits = {} } = call;
  const { status, answer } = answerOf(call);
  app.route({
    method,
    url: path,
    config: { call, access, kind: 'call' },
    // HEAD is disabled: it would have the side effects of the GET, and an event stream never ends.
    ...(isPlain(answer) && ['redirect', 'events'].includes(answer.kind) && { exposeHeadRoute: false }),
    ...(limits.bodyBytes !== undefined && { bodyLimit: limits.bodyBytes }),
    ...hooks,
    async handler(request, reply) {
      const context = {
        request,
        reply,
        params: call.params && readAddress(call.params, request.params),
        query: call.query && readAddress(call.query, request.query),
        body: call.body && readBody(call.body, request.body),
      } as RouteContext<C>;
      const result: unknown = await handle(context);
      // The handler has sent the reply itself.
      if (result === reply || reply.sent) return reply;
      if (!isPlain(answer)) return sendJson(reply, status, answer.parse(result));
      if (answer.kind === 'done') return sendJson(reply, status, {});
      if (answer.kind === 'nothing') return reply.code(status).send();
      return result;
    },
  });
}

function sendJson(reply: FastifyReply, status: number, content: unknown): FastifyReply {
  return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(content));
}

/**
 * The validated body. The contract's schemas have user messages for form fields; the first one is the error of the response.
 * @throws {AppError} 400.
 */
export function readBody<T>(schema: z.ZodType<T>, sent: unknown): T {
  const result = schema.safeParse(sent ?? {});
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw createError('http.invalid_body', issue?.message ?? 'The request could not be understood.', {
    reason: `${issue?.path.join('.') ?? ''}: ${issue?.code ?? 'invalid'}`,
  });
}

/** Query parameters are set by programs, so naming the field is enough. */
function readAddress<T>(schema: z.ZodType<T>, sent: unknown): T {
  const result = schema.safeParse(sent);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = issue?.path.join('.') || 'the address';
  throw createError('http.invalid_request', `The request could not be understood: please check ${field}.`, {
    reason: `${field}: ${issue?.code ?? 'invalid'}`,
  });
}

/** A JSON array whose items are loaded while the stream is read, so that the array is never in memory as a whole. */
export function jsonStream(items: AsyncIterable<unknown>): Readable {
  return Readable.from(jsonArray(items));
}

/** A JSON object of `fields`, with the streamed array as its last field. */
export function jsonObjectStream(fields: object, name: string, items: AsyncIterable<unknown>): Readable {
  async function* pieces(): AsyncGenerator<string> {
    yield `${JSON.stringify(fields, null, 2).slice(0, -2)},\n  ${JSON.stringify(name)}: `;
    yield* jsonArray(items);
    yield '}\n';
  }
  return Readable.from(pieces());
}

async function* jsonArray(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  yield '[';
  let separator = '\n';
  for await (const item of items) {
    yield separator + JSON.stringify(item);
    separator = ',\n';
  }
  yield '\n]\n';
}
