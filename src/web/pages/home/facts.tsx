import type { ReactNode } from 'react';
import { PAGES } from '#contract/paths';
import { MAX_IMAGE_MB, numberInWords, PREMIUM_LANGUAGES } from '#contract/product';
import { useSite } from '../../site/site.tsx';
import { TextLink } from '../../ui/basics/button.tsx';
import { capitalised, picturesADay } from '../../ui/basics/words.ts';

const FIGURES = [
  { figure: '95%+', label: 'average confidence' },
  { figure: '5+', label: 'image formats' },
  { figure: 'under 5s', label: 'processing time' },
] as const;

/** The terms of use in three entries, and three figures with their conditions. */
export function Facts() {
  const { freeDailyLimit, premiumMonthlyLimit, premiumAvailability } = useSite();
  const comingSoon = premiumAvailability === 'coming-soon';
  return (
    <div className="page-width py-14 md:py-20">
      <section
        aria-label="Free Use / Multiple Formats / Multi-Language Support"
        className="border-b border-rule"
      >
        <Entry title="Free Use">
          {capitalised(picturesADay(freeDailyLimit))} without an account, an address or a watermark. If you
          need more, see <TextLink href={PAGES.premium}>Premium</TextLink>:{' '}
          {numberInWords(premiumMonthlyLimit)} a month{comingSoon && ', coming soon'}.
        </Entry>
        <Entry title="Multiple Formats">
          <span className="font-mono text-sm">PNG, JPG, WebP, GIF, BMP</span> up to {MAX_IMAGE_MB} MB, and the
          HEIC and TIFF files that cameras and scanners write. Pictures taken sideways are turned upright
          first.
        </Entry>
        <Entry title="Multi-Language Support">
          English is read free of charge. Premium reads {PREMIUM_LANGUAGES} languages, and pages that mix
          them: <TextLink href={PAGES.languages}>how well each is read</TextLink>.
        </Entry>
      </section>
      <section
        aria-label="Figures"
        className="mt-12 grid gap-x-10 gap-y-8 md:mt-16 lg:grid-cols-[minmax(0,1fr)_18.75rem]"
      >
        <dl className="grid gap-y-5 sm:grid-cols-3">
          {FIGURES.map(({ figure, label }) => (
            <div
              key={figure}
              className="flex items-baseline gap-4 border-rule sm:flex-col-reverse sm:items-start sm:gap-1 sm:not-first:border-l sm:not-first:pl-6"
            >
              <dt className="text-ink-soft max-sm:order-last">{label}</dt>
              <dd className="font-display text-4xl tracking-tight">{figure}</dd>
            </div>
          ))}
        </dl>
        <p className="self-end text-sm text-ink-soft">
          For clear, printed English. A dark photograph takes longer and reads worse; its own confidence,
          shown with every result, will say so.
        </p>
      </section>
    </div>
  );
}

function Entry({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-10 gap-y-2 border-t border-rule py-6 first:border-t-ink md:grid-cols-[18.75rem_minmax(0,1fr)] md:py-8">
      <h2 className="text-2xl">{title}</h2>
      <p className="max-w-xl text-lg text-ink-soft">{children}</p>
    </div>
  );
}
