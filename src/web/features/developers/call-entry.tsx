import { Badge } from '../../ui/basics/display.tsx';
import type { DescribedCall, Field } from './described-calls.ts';

const ACCESS_LABELS: Readonly<Record<string, string>> = {
  anyone: 'anyone',
  visitor: 'any visitor',
  owner: 'its creator',
  user: 'signed in',
  provider: 'payment provider',
};

const PLACE_LABELS: Readonly<Record<string, string>> = {
  path: 'In the path',
  query: 'In the query',
  header: 'In the headers',
};

/** One call as a `details` element, which opens without JavaScript. */
export function CallEntry({ call }: { call: DescribedCall }) {
  const { id, method, path, summary, description, access, keyScope, sent, answer, failures } = call;
  return (
    <details id={id} className="border-t border-rule first:border-rule-heavy">
      <summary className="grid cursor-pointer gap-x-6 gap-y-1 py-4 hover:bg-sunk md:grid-cols-[minmax(0,1fr)_auto] md:items-baseline">
        <span className="grid gap-1">
          <span className="font-mono text-sm wrap-anywhere">
            <span className="font-medium">{method}</span> {path}
          </span>
          <span className="text-ink-soft">{summary}</span>
        </span>
        <span className="flex flex-wrap gap-2">
          {keyScope && <Badge>key: {keyScope}</Badge>}
          <Badge>{ACCESS_LABELS[access] ?? access}</Badge>
        </span>
      </summary>
      <div className="grid gap-6 pt-1 pb-8">
        {description && <p className="max-w-xl">{description}</p>}
        {sent.map(({ place, fields }) => (
          <Fields key={place} title={PLACE_LABELS[place] ?? `Body, ${place}`} fields={fields} />
        ))}
        <Fields
          title={`Response ${answer.status}${answer.type ? `, ${answer.type}` : ''}`}
          fields={answer.fields}
          emptyText={answer.description}
        />
        {failures.length > 0 && (
          <section>
            <h4 className="text-sm font-medium">Errors</h4>
            <dl className="mt-2 grid gap-x-6 gap-y-1.5 text-sm sm:grid-cols-[3rem_minmax(0,1fr)]">
              {failures.map(({ status, codes }) => (
                <Failures key={status} status={status} codes={codes} />
              ))}
            </dl>
          </section>
        )}
      </div>
    </details>
  );
}

function Failures({ status, codes }: { status: string; codes: readonly string[] }) {
  return (
    <>
      <dt className="font-mono tabular-nums">{status}</dt>
      <dd className="flex flex-wrap gap-x-4 gap-y-1 font-mono max-sm:mb-2">
        {codes.map((code) => (
          <a key={code} href={`#${code}`} className="text-link inline-flex min-h-6 items-center">
            {code}
          </a>
        ))}
      </dd>
    </>
  );
}

function Fields({
  title,
  fields,
  emptyText = 'Any.',
}: {
  title: string;
  fields: readonly Field[];
  emptyText?: string;
}) {
  return (
    <section>
      <h4 className="text-sm font-medium">{title}</h4>
      {fields.length === 0 ? (
        <p className="mt-2 text-sm text-ink-soft">{emptyText}</p>
      ) : (
        <dl className="mt-2 border-t border-rule">
          {fields.map(({ name, type, required, description }) => (
            <div
              key={name}
              className="grid gap-x-6 border-b border-rule py-1.5 text-sm sm:grid-cols-[minmax(0,18rem)_minmax(0,1fr)]"
            >
              <dt className="font-mono wrap-anywhere">{name}</dt>
              <dd className="text-ink-soft">
                {type}
                {!required && ', optional'}
                {description && <span className="block">{description}</span>}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
