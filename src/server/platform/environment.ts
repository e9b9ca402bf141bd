import { z } from 'zod';

export interface Variable<T> {
  name: string;
  doc: string;
  /** Text as in the environment. */
  fallback?: string;
  /** Documents the default if it is not a fixed value. */
  otherwise?: string;
  schema: z.ZodType<T, string | undefined>;
}

export function variable<T>(entry: Variable<T>): Variable<T> {
  return entry;
}

export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be between ${min} and ${max}`);

export const oneOf = <const T extends readonly [string, ...string[]]>(...values: T) =>
  z.string().transform((value, context) => {
    const found = values.find((candidate) => candidate === value);
    if (found === undefined) {
      context.addIssue({ code: 'custom', message: `must be one of ${values.join(', ')}` });
      return z.NEVER;
    }
    return found as T[number];
  });

export const origin = z.string().transform((value, context) => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.pathname !== '/' ||
    url.search ||
    url.hash ||
    url.username
  ) {
    context.addIssue({ code: 'custom', message: 'must be an http or https address without a path' });
    return z.NEVER;
  }
  return url.origin;
});

export const listOf = <Item>(item: z.ZodType<Item, string>) =>
  z
    .string()
    .transform((value) => value.split(',').map((part) => part.trim()))
    .pipe(z.array(item));

/** Off, the number of proxies in front of the server, or their networks. */
export const trustedProxies = z.string().transform((value, context): false | number | string[] => {
  if (value === 'off') return false;
  if (/^[1-9]\d?$/.test(value)) return Number(value);
  const networks = value.split(',').map((network) => network.trim());
  const known = /^(loopback|linklocal|uniquelocal|[\da-f.:]+(\/\d{1,3})?)$/i;
  if (!networks.every((network) => known.test(network) && /[a-z.:]/i.test(network))) {
    context.addIssue({ code: 'custom', message: 'must be "off", a number of hops or a list of networks' });
    return z.NEVER;
  }
  return networks;
});

export type ValuesOf<Variables> = {
  [Key in keyof Variables]: Variables[Key] extends Variable<infer T> ? T : never;
};

/** @returns `problems`: invalid variables by name, with the expected form. `values` is complete only without problems. */
export function readVariables<Variables extends Readonly<Record<string, Variable<unknown>>>>(
  variables: Variables,
  environment: Readonly<Record<string, string | undefined>>,
): { values: ValuesOf<Variables>; problems: string[] } {
  const problems: string[] = [];
  const entries = Object.entries(variables).map(([key, { name, fallback, schema }]) => {
    // An empty value counts as unset, as usual in .env files.
    const result = schema.safeParse(environment[name] || fallback);
    if (!result.success) problems.push(`${name} ${result.error.issues[0]?.message ?? 'is invalid'}`);
    return [key, result.data] as const;
  });
  return { values: Object.fromEntries(entries) as ValuesOf<Variables>, problems };
}

/** The text of `.env.example`: every variable, commented out at its default. */
export function describeVariables(variables: Readonly<Record<string, Variable<unknown>>>): string {
  const blocks = Object.values(variables).map(({ name, doc, fallback, otherwise }) =>
    [`# ${doc}`, ...(otherwise ? [`# Without it: ${otherwise}.`] : []), `#${name}=${fallback ?? ''}`].join(
      '\n',
    ),
  );
  return `# Copy to .env and uncomment what you change. Written by scripts/generated-files.ts.\n\n${blocks.join('\n\n')}\n`;
}
