import { useQuery } from '@tanstack/react-query';
import { site as siteCalls } from '../../api/client.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { Skeleton } from '../../ui/basics/display.tsx';
import { CallEntry } from './call-entry.tsx';
import { type ApiDescription, descriptionQuery } from './described-calls.ts';
import { FirstCall, Guide } from './guide.tsx';

export function CallReference() {
  const { data, isError } = useQuery(descriptionQuery);
  return (
    <div className="page-width py-10 md:py-16">
      <h1 className="max-w-3xl text-4xl">For developers</h1>
      <p className="mt-5 max-w-xl text-lg text-ink-soft">
        Every call of the API: this website makes the same calls as your programs. The reference is also
        available{' '}
        <a href={siteCalls.address('GET /api/openapi.json')} className="text-link">
          as OpenAPI 3.1
        </a>{' '}
        for tools.
      </p>
      {isError && (
        <Alert tone="danger" className="mt-10">
          The description could not be loaded. Please reload the page.
        </Alert>
      )}
      {!data && !isError && <Skeleton className="mt-10 h-96" />}
      {data && <ApiReference api={data} />}
    </div>
  );
}

function ApiReference({ api: { about, groups, codes } }: { api: ApiDescription }) {
  return (
    <div className="mt-12 grid grid-cols-[minmax(0,1fr)] items-start gap-14 lg:grid-cols-[minmax(0,1fr)_18.75rem]">
      <FirstCall />
      <nav
        aria-labelledby="on-this-page"
        className="lg:sticky lg:top-24 lg:col-start-2 lg:row-span-2 lg:row-start-1"
      >
        <h2 id="on-this-page" className="font-sans text-sm font-medium tracking-normal">
          On this page
        </h2>
        <ul className="mt-2 grid gap-x-6 border-t border-rule-heavy max-lg:grid-cols-2">
          {[
            { name: 'First call', count: null },
            { name: 'Guide', count: null },
            { name: 'All calls', count: null },
            ...groups.map(({ name, calls }) => ({ name, count: calls.length })),
            { name: 'Errors', count: codes.length },
          ].map(({ name, count }) => (
            <li key={name} className="border-b border-rule">
              <a
                href={`#${anchor(name)}`}
                className="flex min-h-11 items-center justify-between gap-4 hover:bg-sunk"
              >
                {name} <span className="font-mono text-sm text-ink-soft tabular-nums">{count}</span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-14 lg:col-start-1 lg:row-start-2">
        <Guide />
        <section aria-labelledby="all-calls">
          <h2 id="all-calls" className="scroll-mt-24 text-2xl">
            All calls
          </h2>
          <p className="mt-4 max-w-2xl">{about}</p>
        </section>
        {groups.map(({ name, calls }) => (
          <section
            key={name}
            aria-labelledby={anchor(name)}
            className={`${LAZY_RENDERED} [contain-intrinsic-block-size:auto_36rem]`}
          >
            <h2 id={anchor(name)} className="mb-4 scroll-mt-24 text-2xl">
              {name}
            </h2>
            {calls.map((call) => (
              <CallEntry key={call.id} call={call} />
            ))}
          </section>
        ))}
        <Codes codes={codes} />
      </div>
    </div>
  );
}

function Codes({ codes }: { codes: ApiDescription['codes'] }) {
  return (
    <section
      aria-labelledby="errors"
      className={`${LAZY_RENDERED} [contain-intrinsic-block-size:auto_280rem]`}
    >
      <h2 id="errors" className="scroll-mt-24 text-2xl">
        Errors
      </h2>
      <p className="mt-3 mb-4 max-w-xl text-ink-soft">
        Most calls can return the errors marked “everywhere”; they are not repeated at each call.
      </p>
      <dl className="border-t border-rule-heavy">
        {codes.map(({ code, meaning, everywhere }) => (
          <div
            key={code}
            id={code}
            className="grid scroll-mt-24 gap-x-6 gap-y-1 border-b border-rule py-2.5 text-sm sm:grid-cols-[minmax(0,20rem)_minmax(0,1fr)]"
          >
            <dt className="font-mono wrap-anywhere">{code}</dt>
            <dd>
              {meaning}
              {everywhere && <span className="text-ink-soft"> (everywhere)</span>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/**
 * The browser lays out only the visible part of a long page. The padding is for outlines, because `content-visibility`
 * clips content at the sides.
 */
const LAZY_RENDERED = '[content-visibility:auto] -mx-1.5 px-1.5';

const anchor = (name: string): string => name.toLowerCase().replaceAll(' ', '-');
