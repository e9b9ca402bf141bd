import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import type { ReadLanguage } from '#contract/languages';
import { PAGES } from '#contract/paths';
import { BRAND } from '#contract/product';
import { Alert } from '../../ui/basics/alert.tsx';
import { TextLink } from '../../ui/basics/button.tsx';
import { Skeleton } from '../../ui/basics/display.tsx';
import { counted } from '../../ui/basics/words.ts';
import figures from './figures.json' with { type: 'json' };
import { countGrades, GRADES, gradeOf, isWholeScript, readLanguagesQuery } from './read-languages.ts';

/** Character error rates in percent, on clean print and on a degraded copy of it. */
interface Measured {
  clean: { glyphlift: number };
  worn: { glyphlift: number };
}

const MEASURED: Readonly<Record<string, Measured>> = figures.languages;

/** The languages that this server reads, and the measured accuracy of each. */
export function LanguageTable() {
  const { data, isError } = useQuery(readLanguagesQuery);
  return (
    <div className="page-width py-10 md:py-16">
      <h1 className="max-w-3xl text-4xl">Languages, and how well each is read</h1>
      <p className="mt-5 max-w-xl text-lg text-ink-soft">
        A list of languages says little, because not every model is equally good. So we measured {BRAND.name}{' '}
        on a text in each language for which we have one, and counted the wrong characters.
      </p>
      {isError && (
        <Alert tone="danger" className="mt-10">
          The languages of this server could not be loaded. Please reload the page.
        </Alert>
      )}
      {!data && !isError && <Skeleton className="mt-10 h-96" />}
      {data && <Languages languages={data} />}
    </div>
  );
}

function Languages({ languages: all }: { languages: readonly ReadLanguage[] }) {
  const languages = all.filter(({ code }) => !isWholeScript(code));
  const scripts = all.length - languages.length;
  const { grades, notMeasured } = countGrades(languages, MEASURED);
  return (
    <div className="mt-12 grid grid-cols-[minmax(0,1fr)] items-start gap-x-14 gap-y-10 lg:grid-cols-[minmax(0,1fr)_18.75rem]">
      <section aria-labelledby="read-here">
        <h2 id="read-here" className="text-2xl">
          {counted(languages.length, 'language')} on this server
        </h2>
        <p className="mt-3 max-w-xl text-ink-soft">
          English is free; the others come with <TextLink href={PAGES.premium}>Premium</TextLink>. The figures
          are character error rates in percent.
          {scripts > 0 && ` There are also models for ${counted(scripts, 'whole script')}, not measured.`}
        </p>
        <table aria-labelledby="read-here" className="mt-4 w-full border-t border-rule-heavy text-left">
          <thead>
            <tr className="border-b border-rule text-sm text-ink-soft">
              <th scope="col" className="py-3 pr-4 font-normal">
                Language
              </th>
              <th scope="col" className="py-3 pr-4 font-normal">
                Clean print
              </th>
              <th scope="col" className="py-3 font-normal">
                Worn copy
              </th>
            </tr>
          </thead>
          <tbody>
            {languages.map(({ code, name }) => (
              <tr key={code} className="border-b border-rule align-baseline">
                <th scope="row" className="py-2.5 pr-4 font-medium">
                  {name}
                </th>
                <ErrorRates measured={MEASURED[code]} />
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <aside aria-label="How it was measured" className="grid gap-8 lg:sticky lg:top-24">
        <dl className="border-t border-rule-heavy">
          {grades.map(([grade, count]) => (
            <Count key={grade} label={`Read ${GRADES[grade].words}`} count={count} />
          ))}
          {notMeasured > 0 && <Count label="Not measured" count={notMeasured} />}
        </dl>
        <div className="grid gap-3 text-sm text-ink-soft">
          <p>
            “Very well” is at most {GRADES.veryWell.maxErrorRate} wrong character in 100, “well” at most{' '}
            {GRADES.well.maxErrorRate}, “fairly well” at most {GRADES.fairlyWell.maxErrorRate}, “poorly” more.
            The languages are counted by clean print.
          </p>
          <p>
            Measured on <time dateTime={figures.recordedAt}>{figures.recordedAt}</time>, on two pictures of a
            short text in each language, mostly the beginning of the Universal Declaration of Human Rights:
            drawn in clean type, and once more smaller, tilted, blurred and compressed. Real photographs,
            unusual type and handwriting read worse.
          </p>
          <p>
            We did not measure vertical text, old print such as Fraktur, and languages for which we have no
            text that we may use. A server may have other models than those that we measured.
          </p>
        </div>
      </aside>
    </div>
  );
}

function ErrorRates({ measured }: { measured: Measured | undefined }) {
  if (!measured) {
    return (
      <td colSpan={2} className="py-2.5 text-ink-soft">
        not measured
      </td>
    );
  }
  return (
    <>
      <Grade errorRate={measured.clean.glyphlift} className="pr-4" />
      <Grade errorRate={measured.worn.glyphlift} />
    </>
  );
}

function Grade({ errorRate, className }: { errorRate: number; className?: string }) {
  return (
    <td className={clsx('py-2.5', className)}>
      {GRADES[gradeOf(errorRate)].words}{' '}
      <span className="font-mono text-sm whitespace-nowrap text-ink-soft tabular-nums max-sm:block">
        {errorRate.toFixed(1)}
      </span>
    </td>
  );
}

function Count({ label, count }: { label: string; count: number }) {
  return (
    <div className="flex justify-between gap-4 border-b border-rule py-2.5">
      <dt>{label}</dt>
      <dd className="font-mono tabular-nums">{count}</dd>
    </div>
  );
}
