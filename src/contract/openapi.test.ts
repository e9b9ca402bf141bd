import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { answerOf, type Call, errorsOf } from './call.ts';
import { CALLS } from './calls.ts';
import { describeApi, openApiSchema } from './openapi.ts';

const calls: Call[] = Object.values(CALLS).flatMap((group) => Object.values(group));
const document = describeApi(CALLS, {
  publicUrl: 'https://glyphlift.example',
  version: '1.2.3',
  cookies: { visitor: '__Host-visitor', session: '__Host-session' },
});
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

describe('a declared call', () => {
  it('has a unique method and path, and one success response', () => {
    const names = calls.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(names).size).toBe(names.length);
    for (const call of calls) expect(answerOf(call).status).toBeGreaterThanOrEqual(200);
  });

  it('describes its path parameters', () => {
    for (const { path, params } of calls) {
      const places = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name);
      expect(Object.keys(params?.shape ?? {}), path).toEqual(places);
    }
  });

  it('declares its errors, and every error is declared by a call', () => {
    const named = new Set<string>(calls.flatMap(errorsOf));
    // Errors outside any call: no route matches, the headers are malformed, it is the success response of registering, the
    // client has disconnected, or the error is part of the state of a job or page.
    expect(everyCode().filter((code) => !named.has(code))).toEqual([
      'http.method_not_allowed',
      'http.method_unknown',
      'http.headers_too_large',
      'accounts.payment_required',
      'jobs.interrupted',
      'jobs.too_many_pages',
      'jobs.nothing_read',
      'recognition.client_gone',
      'recognition.aborted',
    ]);
  });
});

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1 for an independent validator', async () => {
    const result = await new Validator().validate(structuredClone(document));
    expect(result.errors).toBeUndefined();
    expect(result.valid).toBe(true);
  });

  it('has a schema for every request and response', () => {
    const contents = operations.flatMap(({ operation }) => [
      operation.requestBody?.content ?? {},
      ...Object.values(operation.responses).map(({ content = {} }) => content),
    ]);
    for (const content of contents)
      for (const [type, { schema }] of Object.entries(content)) expect(schema, type).toBeDefined();
    const { content } = document.paths['/api/extract-text']!.post!.responses[200]!;
    expect(content).toMatchObject({
      'application/json': { schema: { type: 'object' } },
      'text/plain': { schema: { type: 'string' } },
      'application/pdf': { schema: { type: 'string', format: 'binary' } },
    });
    const preview = document.paths['/api/preview']!.post!.responses[200]!;
    expect(preview.content).toEqual({ 'image/png': { schema: { type: 'string', format: 'binary' } } });
  });

  it('lists response headers', () => {
    const headersOf = (path: string, method: string, status: number) =>
      Object.keys(document.paths[path]?.[method]?.responses[status]?.headers ?? {}).sort();
    expect(headersOf('/api/jobs', 'post', 202)).toEqual(['Location', 'RateLimit', 'RateLimit-Policy']);
    expect(headersOf('/api/jobs/{id}', 'get', 200)).toContain('Retry-After');
    expect(headersOf('/api/extract-text', 'post', 429)).toEqual([
      'RateLimit',
      'RateLimit-Policy',
      'Retry-After',
    ]);
    expect(headersOf('/api/preview', 'post', 503)).toEqual(['Retry-After']);
    expect(headersOf('/api/texts', 'get', 401)).toEqual(['WWW-Authenticate']);
    expect(headersOf('/api/auth/{provider}', 'get', 303)).toEqual(['Location']);
  });

  it('has the webhook for the end of a job, with its signature', () => {
    const { post } = document.webhooks.jobEnded!;
    expect(post.parameters.map(({ name }) => name)).toEqual([
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ]);
    expect(post.requestBody.content['application/json']?.schema.required).toEqual([
      'type',
      'timestamp',
      'data',
    ]);
  });

  it('says when a current password is required', () => {
    const bodies = operations.flatMap(({ operation }) => {
      const { properties } = operation.requestBody?.content['application/json']?.schema ?? {};
      return properties?.currentPassword ? [properties.currentPassword] : [];
    });
    expect(bodies.length).toBeGreaterThan(5);
    for (const { description } of bodies) expect(description).toBe('Required if the account has a password.');
  });

  it('limits the number of files of a job', () => {
    const form = document.paths['/api/jobs']!.post!.requestBody!.content['multipart/form-data']!;
    expect(form.schema.properties?.file).toMatchObject({ minItems: 1, maxItems: 50 });
  });

  it('matches the schema that the developer page expects', () => {
    expect(openApiSchema.parse(document)).toEqual(document);
  });

  it('has every call once, under its own name', () => {
    expect(operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`).sort()).toEqual(
      calls.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`).sort(),
    );
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has description, access and error codes of every call', () => {
    for (const { path, operation } of operations) {
      expect(operation.summary, path).toMatch(/^[A-Z0-9].{3,79}[^.]$/);
      // A call that accepts API keys acts for the owner of the key.
      const others = operation.security.filter((way) => !('bearerAuth' in way));
      if (operation['x-access'] === 'user') expect(others, path).toEqual([{ session: [] }]);
      const failures = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400);
      expect(failures.length, path).toBeGreaterThan(2);
    }
  });
});

function everyCode(): string[] {
  const { Error: body } = document.components.schemas;
  const { properties } = z
    .object({ properties: z.object({ code: z.object({ oneOf: z.array(z.object({ const: z.string() })) }) }) })
    .parse(body);
  return properties.code.oneOf.map((one) => one.const);
}
