import { queryOptions } from '@tanstack/react-query';
import type { JsonSchema, OpenApi, Operation } from '#contract/openapi';
import { site } from '../../api/client.ts';

/** One field of a request or a response; `name` is a path such as `lines[].words[].text`. */
export interface Field {
  name: string;
  type: string;
  required: boolean;
  description: string | null;
}

export interface DescribedCall {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string | null;
  access: string;
  /** The scope that an API key needs for the call; null if keys are not accepted. */
  keyScope: string | null;
  /** Its inputs, by place: `path`, `query`, `header` or the body's content type. */
  sent: { place: string; fields: Field[] }[];
  answer: { status: string; type: string | null; description: string; fields: Field[] };
  /** Error codes that are specific to the call, by status. */
  failures: { status: string; codes: string[] }[];
}

export interface ApiDescription {
  about: string;
  groups: { name: string; calls: DescribedCall[] }[];
  /** The meaning of every code. `everywhere`: more than half of the calls have it, so it is not listed at each call. */
  codes: { code: string; meaning: string; everywhere: boolean }[];
}

export const descriptionQuery = queryOptions({
  queryKey: ['api', 'openapi.json'],
  queryFn: async ({ signal }) => describedApi(await site.ask('GET /api/openapi.json', { signal })),
});

/** The OpenAPI document in the shape that the page renders. */
export function describedApi(document: OpenApi): ApiDescription {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const callCounts = new Map<string, number>();
  for (const { operation } of operations) {
    for (const code of codesOf(operation).flatMap(({ codes }) => codes)) {
      callCounts.set(code, (callCounts.get(code) ?? 0) + 1);
    }
  }
  const everywhere = (code: string) => (callCounts.get(code) ?? 0) * 2 > operations.length;
  return {
    about: document.info.description,
    groups: document.tags.map(({ name }) => ({
      name,
      calls: operations
        .filter(({ operation }) => operation.tags.includes(name))
        .map(({ path, method, operation }) => describedCall(path, method, operation, everywhere)),
    })),
    codes: meanings(document)
      .filter(({ code }) => callCounts.has(code))
      .map((one) => ({ ...one, everywhere: everywhere(one.code) })),
  };
}

function describedCall(
  path: string,
  method: string,
  operation: Operation,
  everywhere: (code: string) => boolean,
): DescribedCall {
  const { parameters = [], requestBody, responses } = operation;
  const places = [...new Set(parameters.map((one) => one.in))];
  const [status = '', response] = Object.entries(responses).find(([one]) => !isFailure(responses[one])) ?? [];
  const [[type, content] = [null, {}]] = Object.entries(response?.content ?? {});
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    description: operation.description ?? null,
    access: operation['x-access'],
    keyScope: operation.security.flatMap(({ bearerAuth = [] }) => bearerAuth)[0] ?? null,
    sent: [
      ...places.map((place) => ({
        place,
        fields: parameters
          .filter((one) => one.in === place)
          .map(({ name, required, description, schema }) => ({
            name,
            required,
            type: typeOf(schema),
            description: description ?? null,
          })),
      })),
      ...Object.entries(requestBody?.content ?? {}).map(([place, { schema }]) => ({
        place,
        fields: fieldsOf(schema ?? {}),
      })),
    ],
    answer: {
      status,
      type,
      description: response?.description ?? '',
      fields: fieldsOf(content.schema ?? {}),
    },
    failures: codesOf(operation)
      .map(({ status: one, codes }) => ({ status: one, codes: codes.filter((code) => !everywhere(code)) }))
      .filter(({ codes }) => codes.length > 0),
  };
}

type Response = Operation['responses'][string];

/** The error codes of a response; null for a successful response. */
function codesIn(response: Response | undefined): string[] | null {
  const { schema } = Object.values(response?.content ?? {})[0] ?? {};
  return schema?.$ref === undefined ? null : (schema.properties?.code?.enum?.map(String) ?? null);
}

const isFailure = (response: Response | undefined): boolean => codesIn(response) !== null;

const codesOf = ({ responses }: Operation) =>
  Object.entries(responses).flatMap(([status, response]) => {
    const codes = codesIn(response);
    return codes ? [{ status, codes }] : [];
  });

const meanings = ({ components }: OpenApi): { code: string; meaning: string }[] =>
  (components.schemas.Error.properties?.code?.oneOf ?? []).map((one) => ({
    code: String(one.const),
    meaning: one.description ?? '',
  }));

const alternativesOf = ({ anyOf = [], oneOf = [] }: JsonSchema): JsonSchema[] => [...anyOf, ...oneOf];

/** The fields of a schema with nested fields; of alternatives, the fields of all. */
function fieldsOf(schema: JsonSchema, path = ''): Field[] {
  const { items, properties = {}, required = [] } = schema;
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 0) {
    const seen = new Map(
      alternatives.flatMap((one) => fieldsOf(one, path)).map((field) => [field.name, field] as const),
    );
    return [...seen.values()];
  }
  if (items) return fieldsOf(items, `${path}[]`);
  return Object.entries(properties).flatMap(([key, field]) => {
    const name = path === '' ? key : `${path}.${key}`;
    return [
      {
        name,
        type: typeOf(field),
        required: required.includes(key),
        description: field.description ?? null,
      },
      ...fieldsOf(field, name),
    ];
  });
}

/** A type in a few words: `text, 6 to 128 characters`. */
function typeOf(schema: JsonSchema): string {
  const { $ref, type, enum: values, const: only, items, format } = schema;
  if (Array.isArray(type)) return anyOf(type.map((one) => ({ ...schema, type: one })));
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 0) return anyOf(alternatives);
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1);
  if (values) return values.map((value) => JSON.stringify(value)).join(' or ');
  if (only !== undefined) return JSON.stringify(only);
  if (type === 'array') return `list of ${typeOf(items ?? {})}`;
  if (format === 'binary') return 'file';
  if (format === 'date-time') return 'date and time, ISO 8601 in UTC';
  if (format === 'date') return 'day, ISO 8601';
  if (format === 'email') return `email address${range(schema.minLength, schema.maxLength, ' characters')}`;
  if (format === 'uri') return 'address';
  if (type === 'string') return `text${range(schema.minLength, schema.maxLength, ' characters')}`;
  if (type === 'integer') return `whole number${range(schema.minimum, schema.maximum)}`;
  return type ?? 'anything';
}

const anyOf = (schemas: readonly JsonSchema[]): string => [...new Set(schemas.map(typeOf))].join(' or ');

function range(min: number | undefined, max: number | undefined, unit = ''): string {
  if (max === undefined) return '';
  return min === undefined ? `, at most ${max}${unit}` : `, ${min} to ${max}${unit}`;
}
