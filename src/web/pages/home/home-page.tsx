import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Site } from '#contract/page';
import { PAGES } from '#contract/paths';
import { BRAND, PREMIUM_PRICE } from '#contract/product';
import { useDialogs } from '../../dialogs/dialogs.tsx';
import { UnfinishedRegistrationBar } from '../../dialogs/unfinished-registration-bar.tsx';
import { AccountBar } from '../../features/account/account-bar.tsx';
import { ExtractionTool } from '../../features/extraction/tool/extraction-tool.tsx';
import { lazyComponent, withoutHydration } from '../../hydration/lazy.tsx';
import { organization } from '../../router/head.ts';
import type { JsonLd, Page } from '../../router/page.ts';
import { useLocation, useNavigate } from '../../router/router.tsx';
import { userQuery } from '../../session/queries.ts';
import { useSignOutCount } from '../../session/use-sign-out.ts';
import { AdSlot, ResponsiveAdSlot } from '../../ui/basics/ad-slot.tsx';
import type { ResultText } from '../../workspace/result-props.ts';
import { SampleButtons } from './samples/sample-buttons.tsx';
import type { ShareOutcome } from './shared-pictures.tsx';

const Evidence = withoutHydration(async () => (await import('./evidence.tsx')).Evidence);
const Facts = withoutHydration(async () => (await import('./facts.tsx')).Facts);

const TIPS = [
  {
    title: 'Use high-resolution images',
    text: 'Small letters should be at least 20 pixels high. Photograph closer rather than enlarging later.',
  },
  {
    title: 'Ensure good lighting and contrast',
    text: 'Light from the side, no shadow of your own hand, no flash on glossy paper.',
  },
  {
    title: 'Crop to the text areas',
    text: 'What is not text can only be mistaken for it. Leave out the table, keep the page.',
  },
] as const;

const TITLE = `${BRAND.name}: image to text, with its doubts marked`;
const DESCRIPTION =
  'Turn a photo, scan or screenshot into text you can edit, copy and download. Free online OCR that shows which words to check.';

/** The tool with its sidebar, and below them the examples and the facts. */
function Home() {
  return (
    <>
      <div className="page-width wide-with-result home-top pb-14 md:pb-20">
        <div className="hero">
          <h1>{BRAND.tagline}</h1>
          <p className="text-ink-soft">
            Free image to text (OCR) that underlines the words it{' '}
            <mark className="doubted text-ink">doubts</mark>, so you know where to look.
          </p>
        </div>
        {/* The sidebar moves when the button is pressed, so that nothing moves when the text arrives. */}
        <div className="grid gap-x-10 gap-y-12 lg:not-has-[:is([data-extraction=processing],[data-extraction=failed],[data-extraction=result])]:grid-cols-[minmax(0,1fr)_18.75rem]">
          <section aria-label="Extraction tool" className="min-w-0">
            <Tool />
            <p className="mt-4 text-sm text-ink-soft">
              Our server reads your picture in memory and deletes it at once. It is not stored there, and no
              model is trained on it.
            </p>
            <div className="not-with-result">
              <ResponsiveAdSlot wide="leaderboard" className="mt-10" />
            </div>
          </section>
          <Sidebar />
        </div>
      </div>
      <Evidence />
      <Facts />
      <div className="page-width pb-16">
        <ResponsiveAdSlot wide="banner" />
      </div>
    </>
  );
}

/** If this code cannot be loaded, a result can still be copied and downloaded. */
const SaveText = lazyComponent<ResultText>(
  async () => (await import('../../features/saved-texts/save-text.tsx')).SaveText,
);

const SharedPictures = lazyComponent(async () => (await import('./shared-pictures.tsx')).SharedPictures);

/** The outcome of sharing pictures from another app. The service worker puts it into the URL; this removes it there. */
function useShareOutcome(): ShareOutcome | null {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const [shared, setShared] = useState<ShareOutcome | null>(null);
  const parameter = new URLSearchParams(search).get('shared');
  const outcome = parameter === null ? shared : parameter === 'too-many' ? parameter : 'taken';
  if (outcome !== shared) setShared(outcome);
  useEffect(() => {
    if (parameter !== null) void navigate(pathname, { replace: true });
  }, [pathname, parameter, navigate]);
  return outcome;
}

/** The tool with the account bar. Signing out resets it. */
function Tool() {
  const { openFor, open } = useDialogs();
  const signOuts = useSignOutCount();
  const isPremium = useQuery(userQuery).data?.isPremium ?? false;
  const upgrade = () => openFor('upgrade');
  const shared = useShareOutcome();
  return (
    <ExtractionTool
      key={signOuts}
      accountBar={
        <>
          {shared && <SharedPictures outcome={shared} />}
          <AccountBar onUpgrade={upgrade} />
          <UnfinishedRegistrationBar />
        </>
      }
      onUpgrade={upgrade}
      onSignIn={() => open({ name: 'auth', tab: 'login' })}
      onLimitReached={openFor}
      renderResultAction={(result) => isPremium && <SaveText {...result} />}
      Samples={SampleButtons}
    />
  );
}

function Sidebar() {
  return (
    <aside aria-labelledby="quick-tips" className="@container">
      <div className="flex flex-col gap-10 @2xl:flex-row">
        <div className="min-w-0 flex-1">
          <h2 id="quick-tips" className="border-t border-rule-heavy pt-3 text-xl">
            Quick Tips
          </h2>
          <ol className="mt-1">
            {TIPS.map(({ title, text }, index) => (
              <li
                key={title}
                className="grid grid-cols-[1.75rem_1fr] border-b border-rule py-3.5 last:border-b-0"
              >
                <span aria-hidden="true" className="font-mono text-sm leading-6 text-ink-faint">
                  {index + 1}
                </span>
                <div>
                  <p className="font-medium">{title}</p>
                  <p className="mt-0.5 text-sm text-ink-soft">{text}</p>
                </div>
              </li>
            ))}
          </ol>
        </div>
        <div className="mx-auto w-[300px] max-w-full shrink-0 empty:hidden">
          <AdSlot format="rectangle" />
        </div>
      </div>
    </aside>
  );
}

/** The plans on sale with their prices, without a plan that is coming soon. */
function offers({ premiumAvailability, publicUrl }: Site): JsonLd[] {
  const free = { '@type': 'Offer', name: 'Free', price: '0', priceCurrency: 'USD' };
  if (premiumAvailability === 'coming-soon') return [free];
  const priceSpecification = {
    '@type': 'UnitPriceSpecification',
    price: PREMIUM_PRICE.amount,
    priceCurrency: PREMIUM_PRICE.currency,
    unitCode: 'MON',
    billingDuration: 'P1M',
  };
  const premium = {
    '@type': 'Offer',
    name: 'Premium',
    price: PREMIUM_PRICE.amount,
    priceCurrency: PREMIUM_PRICE.currency,
    priceSpecification,
    url: `${publicUrl}${PAGES.premium}`,
  };
  return [free, premium];
}

export const page: Page = {
  Component: Home,
  parts: [Evidence, Facts],
  meta: ({ site }) => ({
    title: TITLE,
    description: DESCRIPTION,
    path: PAGES.home,
    jsonLd: [
      organization(site),
      {
        '@type': 'WebApplication',
        name: BRAND.name,
        url: `${site.publicUrl}${PAGES.home}`,
        description: DESCRIPTION,
        applicationCategory: 'UtilitiesApplication',
        operatingSystem: 'Any',
        browserRequirements: 'Requires JavaScript',
        offers: offers(site),
      },
    ],
  }),
};
