import { z } from 'zod';
import { API_KEY_PREFIX } from './api-key-rules.ts';
import {
  type Access,
  type AnswerHeader,
  answerOf,
  type Call,
  errorsOf,
  isPlain,
  keyScopeOf,
  type PlainAnswer,
  statusesOf,
} from './call.ts';
import { ERRORS, type ErrorCode } from './error-codes.ts';
import { apiErrorSchema, PROBLEM_TYPE, problemSchema } from './errors.ts';
import { webhookEventSchema } from './job.ts';
import { BRAND } from './product.ts';

const jsonValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** The used part of JSON Schema, draft 2020-12. */
const jsonSchema = z
  .object({
    $ref: z.string().optional(),
    description: z.string().optional(),
    type: z.union([z.string(), z.array(z.string())]).optional(),
    format: z.string().optional(),
    pattern: z.string().optional(),
    contentEncoding: z.string().optional(),
    minItems: z.number().optional(),
    maxItems: z.number().optional(),
    const: jsonValue.optional(),
    enum: z.array(jsonValue).optional(),
    minLength: z.number().optional(),
    maxLength: z.number().optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    exclusiveMinimum: z.number().optional(),
    required: z.array(z.string()).optional(),
    get properties() {
      return z.record(z.string(), jsonSchema).optional();
    },
    get propertyNames() {
      return jsonSchema.optional();
    },
    get additionalProperties() {
      return jsonSchema.optional();
    },
    get items() {
      return jsonSchema.optional();
    },
    get anyOf() {
      return z.array(jsonSchema).optional();
    },
    get oneOf() {
      return z.array(jsonSchema).optional();
    },
  })
  .meta({ id: 'JsonSchema' });
export type JsonSchema = z.infer<typeof jsonSchema>;

const contentSchema = z.record(z.string(), z.object({ schema: jsonSchema, example: z.unknown().optional() }));
type Content = z.infer<typeof contentSchema>;

const parameterSchema = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean(),
  description: z.string().optional(),
  schema: jsonSchema,
});

const operationSchema = z.object({
  operationId: z.string(),
  tags: z.array(z.string()),
  summary: z.string(),
  description: z.string().optional(),
  /** One of `Access`, because OpenAPI only has security schemes. */
  'x-access': z.string(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(parameterSchema).optional(),
  requestBody: z.object({ required: z.boolean(), content: contentSchema }).optional(),
  responses: z.record(
    z.string(),
    z.object({
      description: z.string(),
      // `$ref` is not declared here, because resolvers would take a property of that name for a reference.
      headers: z.record(z.string(), z.record(z.string(), z.string())).optional(),
      content: contentSchema.optional(),
    }),
  ),
});
export type Operation = z.infer<typeof operationSchema>;

/** Webhooks. */
const webhookSchema = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string(),
  parameters: z.array(parameterSchema),
  requestBody: z.object({ required: z.literal(true), content: contentSchema }),
  responses: z.record(z.string(), z.object({ description: z.string() })),
});

/** The used part of OpenAPI 3.1. */
export const openApiSchema = z.object({
  openapi: z.literal('3.1.0'),
  info: z.object({ title: z.string(), version: z.string(), description: z.string() }),
  servers: z.array(z.object({ url: z.string() })),
  tags: z.array(z.object({ name: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  webhooks: z.record(z.string(), z.object({ post: webhookSchema })),
  components: z.object({
    schemas: z.object({ Error: jsonSchema, Problem: jsonSchema, JsonSchema: jsonSchema }),
    headers: z.record(z.string(), z.object({ description: z.string(), schema: jsonSchema })),
    securitySchemes: z.record(
      z.string(),
      z.union([
        z.object({ type: z.literal('apiKey'), in: z.enum(['cookie', 'header']), name: z.string() }),
        z.object({ type: z.literal('http'), scheme: z.literal('bearer'), description: z.string() }),
      ]),
    ),
  }),
});
export type OpenApi = z.infer<typeof openApiSchema>;

const SCHEMAS = '#/components/schemas/';

interface Deployment {
  /** Origin without a trailing slash. */
  publicUrl: string;
  version: string;
  /** Names of the visitor and session cookies. */
  cookies: { visitor: string; session: string };
}

type CallGroups = Readonly<Record<string, Readonly<Record<string, Call>>>>;

const API_DESCRIPTION = `The API of the ${BRAND.name} page, also for programs: JSON in requests and answers, cookies or an API key. Every failure has a sentence to show (error) and a stable code to decide by (code). Answers with 429 and 503 say in Retry-After after how many seconds to try again. Unknown fields are ignored. A page that shows a signed-in user sends the header Shown-Person, a username in percent-encoding or - for none; if someone else is signed in, nothing is done and the answer has the header Person-Changed. A program sends a key as Authorization: Bearer and gets failures as problem details (RFC 9457). Web pages of other sites can call only with a key that names their origin, and then everyone who opens the page can read the key; otherwise keep keys in programs whose users cannot read them.`;

/** Name of the security scheme of API keys. */
const BEARER = 'bearerAuth';

/** Security schemes by access, without keys. A visitor without a cookie gets one. */
const SECURITY: Record<Access, Operation['security']> = {
  anyone: [],
  visitor: [{ session: [] }, { visitor: [] }, {}],
  owner: [{ visitor: [] }],
  user: [{ session: [] }],
  provider: [{ signature: [] }],
};

/** Security schemes with the scope of an API key; OpenAPI 3.1 allows scopes for every kind of scheme. */
function securityOf(call: Call): Operation['security'] {
  const scope = keyScopeOf(call);
  const security = SECURITY[call.access];
  return scope ? [{ [BEARER]: [scope] }, ...security] : security;
}

/**
 * The OpenAPI document.
 * @param groups calls by name in groups by topic
 */
export function describeApi(groups: CallGroups, { publicUrl, version, cookies }: Deployment): OpenApi {
  return {
    openapi: '3.1.0',
    info: { title: BRAND.name, version, description: API_DESCRIPTION },
    servers: [{ url: publicUrl }],
    tags: Object.keys(groups).map((name) => ({ name })),
    paths: pathsOf(groups),
    webhooks: { jobEnded: { post: jobEnded() } },
    components: {
      headers: ANSWER_HEADERS,
      schemas: { Error: errorJson(), Problem: toJson(problemSchema, 'output'), JsonSchema: definitionJson() },
      securitySchemes: {
        visitor: { type: 'apiKey', in: 'cookie', name: cookies.visitor },
        session: { type: 'apiKey', in: 'cookie', name: cookies.session },
        signature: { type: 'apiKey', in: 'header', name: 'Paypal-Transmission-Sig' },
        [BEARER]: {
          type: 'http',
          scheme: 'bearer',
          description: `A key that a premium user has created in their account. It begins with ${API_KEY_PREFIX} and has the scopes that were chosen for it. Cookies sent with it are ignored.`,
        },
      },
    },
  };
}

/** A cache, because computing the paths is expensive and they are the same for every deployment. */
const describedPaths = new WeakMap<CallGroups, OpenApi['paths']>();

function pathsOf(groups: CallGroups): OpenApi['paths'] {
  const known = describedPaths.get(groups);
  if (known) return known;
  const paths: OpenApi['paths'] = {};
  for (const [group, calls] of Object.entries(groups)) {
    for (const [name, call] of Object.entries(calls)) {
      const path = call.path.replaceAll(/:(\w+)/g, '{$1}');
      paths[path] = { ...paths[path], [call.method.toLowerCase()]: operationOf(group, name, call) };
    }
  }
  describedPaths.set(groups, paths);
  return paths;
}

/** All error codes with their meanings. */
function errorJson(): JsonSchema {
  const { properties, ...rest } = toJson(apiErrorSchema, 'output');
  const codes = Object.entries(ERRORS).map(([code, { when }]) => ({ const: code, description: when }));
  return { ...rest, properties: { ...properties, code: { oneOf: codes } } };
}

function operationOf(group: string, operationId: string, call: Call): Operation {
  const { summary, description, access, params, query, headers } = call;
  const parameters = [
    ...parametersOf('path', params),
    ...parametersOf('query', query),
    ...parametersOf('header', headers),
  ];
  const content = requestContent(call);
  return {
    operationId,
    tags: [group],
    summary,
    ...(description !== undefined && { description }),
    'x-access': access,
    security: securityOf(call),
    ...(parameters.length > 0 && { parameters }),
    ...(content && { requestBody: { required: true, content } }),
    responses: responsesOf(call),
  };
}

function parametersOf(place: 'path' | 'query' | 'header', fields: z.ZodObject | undefined) {
  if (!fields) return [];
  const { properties = {}, required = [] } = toJson(fields, 'input');
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema,
  }));
}

function requestContent({ body, form, raw, alsoTakes = {} }: Call): Content | null {
  if (body) return { 'application/json': { schema: toJson(body, 'input') } };
  if (form) {
    const all = Object.entries({ 'multipart/form-data': { schema: form }, ...alsoTakes });
    const described = all.map(([type, one]) => [type, { ...one, schema: toJson(one.schema, 'input') }]);
    return Object.fromEntries(described);
  }
  return raw ? Object.fromEntries(raw.map((type) => [type, { schema: {} }])) : null;
}

function responsesOf(call: Call): Operation['responses'] {
  const { status, answer } = answerOf(call);
  const failures = new Map<number, ErrorCode[]>();
  for (const code of errorsOf(call)) {
    for (const one of statusesOf(code)) failures.set(one, [...(failures.get(one) ?? []), code]);
  }
  const byStatus = [...failures].sort(([one], [other]) => one - other);
  const isRedirect = isPlain(answer) && answer.kind === 'redirect';
  const limits: readonly AnswerHeader[] = keyScopeOf(call) ? ['RateLimit', 'RateLimit-Policy'] : [];
  return {
    [status]: {
      ...(isPlain(answer)
        ? { description: answer.description, ...plainContent(answer) }
        : {
            description: 'The answer.',
            content: {
              'application/json': { schema: toJson(answer, 'output') },
              ...Object.fromEntries(Object.keys(call.alsoAs ?? {}).map((type) => [type, fileOf(type)])),
            },
          }),
      ...headersOf([
        ...(call.answerHeaders ?? []),
        ...(isRedirect ? (['Location'] as const) : []),
        ...limits,
      ]),
    },
    ...Object.fromEntries(
      byStatus.map(([one, codes]) => [
        one,
        {
          description: 'Refused or failed.',
          ...headersOf([...(FAILURE_HEADERS[one] ?? []), ...limits]),
          content: {
            'application/json': {
              schema: { $ref: `${SCHEMAS}Error`, properties: { code: { enum: codes } } },
            },
            [PROBLEM_TYPE]: { schema: { $ref: `${SCHEMAS}Problem` } },
          },
        },
      ]),
    ),
  };
}

function plainContent(answer: PlainAnswer): { content?: Content } {
  switch (answer.kind) {
    case 'file':
      return { content: { [answer.type]: fileOf(answer.type) } };
    case 'events':
      return { content: { 'text/event-stream': { schema: { type: 'string' } } } };
    case 'done':
      return { content: { 'application/json': { schema: { type: 'object' } } } };
    case 'redirect':
    case 'nothing':
      return {};
  }
}

/** An empty response needs a schema too, or generated clients type it as `any`. */
function fileOf(type: string): Content[string] {
  if (type === 'application/json') return { schema: {} };
  const isText = /^text\/|[/+]xml$/.test(type);
  return { schema: { type: 'string', ...(!isText && { format: 'binary' }) } };
}

const ANSWER_HEADERS: Record<AnswerHeader, OpenApi['components']['headers'][string]> = {
  Location: { description: 'Address of what was created, or of the next page.', schema: { type: 'string' } },
  'Retry-After': {
    description: 'Seconds after which to try again.',
    schema: { type: 'integer', minimum: 0 },
  },
  'WWW-Authenticate': { description: 'How to authenticate.', schema: { type: 'string' } },
  RateLimit: {
    description: 'With a key: the calls left (r), and the seconds until the limit resets (t).',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'With a key: the calls allowed (q) in a window of seconds (w).',
    schema: { type: 'string' },
  },
};

const FAILURE_HEADERS: Readonly<Record<number, readonly AnswerHeader[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

const headersOf = (names: readonly AnswerHeader[]) =>
  names.length > 0 && {
    headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
  };

/** The webhook's request, with the headers of Standard Webhooks. */
const jobEnded = (): OpenApi['webhooks'][string]['post'] => ({
  operationId: 'jobEnded',
  summary: 'A job has ended',
  description:
    'Sent to the webhook address given to createJob, until it is accepted. Signed as Standard Webhooks define, over id, time and body.',
  parameters: [
    { name: 'webhook-id', description: 'The same for every attempt.' },
    { name: 'webhook-timestamp', description: 'Time of sending, in seconds since 1970.' },
    { name: 'webhook-signature', description: 'One or more, such as v1,BASE64, separated by spaces.' },
  ].map((parameter) => ({ ...parameter, in: 'header', required: true, schema: { type: 'string' } })),
  requestBody: {
    required: true,
    content: { 'application/json': { schema: toJson(webhookEventSchema, 'output') } },
  },
  responses: {
    '2XX': { description: 'Accepted.' },
    '410': { description: 'Gone: it is not sent again.' },
  },
});

function toJson(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, $defs: _named, '~standard': _standard, ...rest } = jsonOf(schema, io);
  return asPart(rest);
}

/** The schema of JSON Schema itself, because the document contains JSON Schemas. */
function definitionJson(): JsonSchema {
  const definition = asPart(jsonOf(jsonSchema, 'output').$defs?.JsonSchema);
  // Resolvers would take a property of this name for a reference.
  const { $ref: _reference, ...properties } = definition.properties ?? {};
  return { ...definition, properties };
}

const jsonOf = (schema: z.ZodType, io: 'input' | 'output') =>
  z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    override({ jsonSchema }) {
      // New fields in responses must not break generated clients.
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });

/** A standalone schema as a part of this document: its references point to the components. */
const asPart = (schema: unknown): JsonSchema =>
  jsonSchema.parse(
    JSON.parse(JSON.stringify(schema), (key, value) =>
      key === '$ref' && typeof value === 'string' ? value.replace('#/$defs/', SCHEMAS) : value,
    ),
  );
