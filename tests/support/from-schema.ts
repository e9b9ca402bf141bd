import fc, { type Arbitrary } from 'fast-check';
import type { JsonSchema } from '#contract/openapi';

/** A fast-check arbitrary for a JSON Schema of the OpenAPI document. */
export function allowedBy(schema: JsonSchema): Arbitrary<unknown> {
  const { anyOf, oneOf, properties = {}, required = [] } = schema;
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (anyOf ?? oneOf) return fc.oneof(...(anyOf ?? oneOf ?? []).map(allowedBy));
  switch (schema.type) {
    case 'string':
      return textOf(schema);
    case 'number':
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1_000, max: schema.maximum ?? 1_000_000 });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(allowedBy(schema.items ?? {}), { maxLength: 4 });
    case 'object': {
      const fields = Object.entries(properties).map(([name, field]) => [name, allowedBy(field)]);
      return fc.record<Record<string, unknown>>(Object.fromEntries(fields), { requiredKeys: required });
    }
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function textOf({ format, pattern, minLength = 0, maxLength = 60 }: JsonSchema): Arbitrary<string> {
  if (format === 'email') return fc.emailAddress();
  if (format === 'uuid') return fc.uuid();
  const lengths = { minLength, maxLength: Math.max(minLength, Math.min(maxLength, 60)) };
  const any = fc.oneof(fc.string(lengths), fc.string({ ...lengths, unit: 'grapheme' }));
  // fast-check cannot generate Unicode classes from an expression.
  if (pattern === undefined || pattern.includes('\\p{')) return any;
  return fc.stringMatching(new RegExp(pattern));
}

const invalidValue = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', ' ', '\0', '__proto__', '-1', '1e400', 'x'.repeat(3_000), null, [], {}),
);

/** Mostly valid values; sometimes with a missing, additional or invalid field. */
export function nearlyAllowedBy(schema: JsonSchema): Arbitrary<unknown> {
  const names = [...Object.keys(schema.properties ?? {}), 'unknown', '__proto__'];
  const altered = fc
    .tuple(allowedBy(schema), fc.constantFrom(...names), fc.option(invalidValue, { nil: undefined }))
    .map(([drawn, name, value]) =>
      typeof drawn === 'object' && drawn !== null ? { ...drawn, [name]: value } : value,
    );
  return fc.oneof(
    { weight: 4, arbitrary: allowedBy(schema) },
    { weight: 2, arbitrary: altered },
    { weight: 1, arbitrary: invalidValue },
  );
}
