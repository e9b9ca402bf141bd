import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import fc, { type Arbitrary } from 'fast-check';
import type { InjectOptions } from 'fastify';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeCalls } from '#contract/calls/site';
import { type JsonSchema, type OpenApi, type Operation, openApiSchema } from '#contract/openapi';
import { nearlyAllowedBy } from '../../tests/support/from-schema.ts';
import { createBrowser, createMember, PASSWORD } from '../../tests/support/people.ts';
import { drawnOf, holds } from '../../tests/support/properties.ts';
import { encodeForm, startTestServer, type TestServer } from '../../tests/support/server-app.ts';
import { MemoryEngine } from '../../tests/support/server-engine.ts';

/** Calls that would end the session of the test. */
const SESSION_ENDING_CALLS: readonly string[] = ['logout'];
const EVENTS = 'text/event-stream';

let server: TestServer;
let description: OpenApi;
let validator: Ajv2020;
/** Headers of each kind of caller. */
const credentials = new Map<string, Record<string, string>>();
beforeAll(async () => {
  const plenty = '1000000';
  // Previews are always the same image.
  const engine = new MemoryEngine();
  const preview = await sharp({ create: { width: 2, height: 2, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  engine.draw = async () => new Uint8Array(preview);
  server = await startTestServer({
    engine,
    env: { RATE_LIMIT_PER_MINUTE: plenty, FREE_DAILY_LIMIT: plenty, PREMIUM_MONTHLY_LIMIT: plenty },
  });
  const answer = (await server.app.inject(describeCalls.path)).json();
  description = openApiSchema.parse(answer);
  validator = new Ajv2020({ strict: false });
  formats.default(validator);
  validator.addSchema(answer, 'description');
  const { app, services } = server;
  const visitor = createBrowser(app);
  await visitor.usage();
  const free = await createMember(app, 'free');
  const id = (await services.accounts.findByLogin('free'))?.id ?? '';
  await services.billing.subscriptions.markRefunded(id);
  const people = {
    'a visitor': visitor,
    'a free user': free,
    'a premium user': await createMember(app, 'premium'),
  };
  for (const [who, browser] of Object.entries(people)) {
    credentials.set(who, { cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; ') });
  }
  const wanted = { name: 'Any', scopes: ['read', 'usage'], currentPassword: PASSWORD };
  const made = await people['a premium user'].post('/api/account/keys', wanted);
  credentials.set('a program with a key', {
    authorization: `Bearer ${made.json<{ secret: string }>().secret}`,
  });
});
afterAll(() => server.close());

interface AnyRequest {
  path: string;
  method: string;
  operation: Operation;
  request: InjectOptions;
}

/** Arbitrary requests to every call of the OpenAPI document; with an API key mostly to those that accept keys. */
function anyRequest(who: string): Arbitrary<AnyRequest> {
  const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const callable = operations.filter(
    ({ operation }) => !SESSION_ENDING_CALLS.includes(operation.operationId),
  );
  const open = callable.filter(({ operation }) => operation.security.some((one) => 'bearerAuth' in one));
  const drawn = who.includes('key')
    ? fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...open) }, fc.constantFrom(...callable))
    : fc.constantFrom(...callable);
  return drawn.chain(({ path, method, operation }) => {
    const { parameters = [], requestBody } = operation;
    const places = fc.tuple(
      ...parameters.map(({ name, in: place, required, schema }) => {
        const value = nearlyAllowedBy(schema).map((one) => ({ name, place, value: asText(one) }));
        return required ? value : fc.option(value);
      }),
    );
    const body = requestBody ? anyBody(requestBody.content) : fc.constant(undefined);
    return fc.tuple(places, body).map(([values, sent]) => {
      const given = values.filter((one) => one !== null);
      const ofPlace = (place: string) => given.filter((one) => one.place === place);
      const address = ofPlace('path').reduce(
        (url, { name, value }) => url.replace(`{${name}}`, encodeURIComponent(value === '' ? '-' : value)),
        path,
      );
      const query = new URLSearchParams(
        Object.fromEntries(ofPlace('query').map(({ name, value }) => [name, value])),
      );
      const headers = ofPlace('header').filter(({ value }) => /^[\x21-\x7e]+$/.test(value));
      return {
        path,
        method,
        operation,
        request: {
          method: method.toUpperCase() as 'GET',
          url: query.size > 0 ? `${address}?${query}` : address,
          remoteAddress: '127.0.0.1',
          headers: {
            ...Object.fromEntries(headers.map(({ name, value }) => [name, value])),
            ...(sent && { 'content-type': sent.type }),
          },
          ...(sent && { payload: sent.payload }),
        },
      };
    });
  });
}

/** Lone surrogates cannot be encoded in a path, and dot segments change it. */
const asText = (value: unknown) =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
    .replaceAll(/\p{Surrogate}/gu, '')
    .replace(/^\.+$/, '-');

interface Body {
  type: string;
  payload: string | FormData;
}

function anyBody(content: Record<string, { schema: JsonSchema }>): Arbitrary<Body> {
  return fc.constantFrom(...Object.entries(content)).chain(([type, { schema }]): Arbitrary<Body> => {
    const value = nearlyAllowedBy(schema);
    if (type !== 'multipart/form-data')
      return value.map((one) => ({ type, payload: JSON.stringify(one) ?? '' }));
    return value.map((one) => {
      const form = new FormData();
      for (const [name, field] of Object.entries(one ?? {})) {
        const { contentEncoding, items } = schema.properties?.[name] ?? {};
        if (items?.contentEncoding === 'binary') {
          for (const file of [field].flat()) form.append(name, new Blob([asText(file)]), 'picture.png');
        } else if (contentEncoding === 'binary')
          form.append(name, new Blob([asText(field)], { type: 'image/png' }), 'picture.png');
        else form.append(name, asText(field));
      }
      return { type, payload: form };
    });
  });
}

async function ask({ request }: AnyRequest, known: Record<string, string>) {
  const form = request.payload instanceof FormData ? await encodeForm(request.payload) : undefined;
  return server.app.inject({
    ...request,
    ...(form && { payload: form.body }),
    headers: { ...request.headers, ...known, ...(form && { 'content-type': form.type }) },
    // An event stream continues until its reader leaves.
    payloadAsStream: true,
  });
}

/** How a response violates the OpenAPI document; undefined if it does not. */
function problemOf(
  { path, method, operation }: AnyRequest,
  status: number,
  headers: Readonly<Record<string, unknown>>,
  body: string,
): unknown {
  if (status >= 500) return `${status} ${body}`;
  const documented = operation.responses[status];
  if (!documented) return `${status} is not described: ${body}`;
  const isWithoutBody = Object.keys(description.components.headers).filter(
    (name) => headers[name.toLowerCase()] !== undefined && !documented.headers?.[name],
  );
  if (isWithoutBody.length > 0) return `${isWithoutBody.join(' and ')} with ${status} is not described`;
  if (!documented.content) return body === '' ? undefined : `a body where none is described: ${body}`;
  const [mediaType = ''] = String(headers['content-type'] ?? '').split(';');
  if (!documented.content[mediaType]) return `${mediaType} is not described for ${status}`;
  const place = ['paths', path, method, 'responses', String(status), 'content', mediaType, 'schema'];
  const pointer = place.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')));
  const validate = validator.getSchema(`description#/${pointer.join('/')}`);
  if (!validate) throw new Error(`no schema at ${place.join(' ')}`);
  return validate(mediaType.endsWith('json') ? JSON.parse(body) : body) ? undefined : validate.errors;
}

describe('any valid or slightly invalid request of the OpenAPI document', () => {
  it.each(['a visitor', 'a free user', 'a premium user', 'a program with a key'])(
    'from %s gets a response that the OpenAPI document describes',
    async (who) => {
      const statuses = new Map<number, number>();
      await holds(
        fc.asyncProperty(anyRequest(who), async (asking) => {
          const response = await ask(asking, credentials.get(who) ?? {});
          const stream = response.stream();
          const type = String(response.headers['content-type'] ?? '');
          const chunks: Uint8Array[] = [];
          if (!type.startsWith(EVENTS)) for await (const chunk of stream) chunks.push(chunk);
          stream.destroy();
          const body = Buffer.concat(chunks).toString('utf8');
          statuses.set(response.statusCode, (statuses.get(response.statusCode) ?? 0) + 1);
          expect(problemOf(asking, response.statusCode, response.headers, body)).toBeUndefined();
        }),
        250,
      );
      // Ensures that not all responses are errors.
      expect(statuses.get(200)).toBeGreaterThan(drawnOf(20));
      expect(statuses.get(400)).toBeGreaterThan(drawnOf(20));
    },
  );
});
