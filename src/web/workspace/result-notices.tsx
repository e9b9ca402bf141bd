import { useQuery } from '@tanstack/react-query';
import { memo, useEffect, useState } from 'react';
import type { Extraction } from '#contract/extraction';
import { MAX_LANGUAGES } from '#contract/languages';
import { LOW_CONFIDENCE_BELOW } from '#contract/product';
import { useSite } from '../site/site.tsx';
import { Alert } from '../ui/basics/alert.tsx';
import { Button } from '../ui/basics/button.tsx';
import { languagesQuery } from './language-groups.ts';
import type { Reading } from './reading.ts';
import type { ResultProps } from './result-props.ts';

interface ResultNoticesProps extends Pick<ResultProps, 'onUpgrade' | 'onReadIn'> {
  extraction: Extraction;
}

/** Notices that call for something to be done; "no text found" replaces the success message. */
export const ResultNotices = memo(function ResultNotices(props: ResultNoticesProps) {
  const { extraction, onUpgrade, onReadIn } = props;
  const noText = extraction.notices.find(({ code }) => code === 'no_text');
  const otherLanguage = extraction.notices.find(({ code }) => code === 'other_language');
  return (
    <>
      {extraction.wordCount === 0 && (
        <div className="border-b border-rule p-4">
          <Alert tone="warning" title={noText?.message ?? 'No text was found in this picture.'}>
            {extraction.hidden.length > 0
              ? 'What was hidden can be brought back below. This did not count as an extraction.'
              : 'A sharper or larger picture, cropped to the text, may help. This did not count as an extraction.'}
          </Alert>
        </div>
      )}
      {extraction.wordCount > 0 && extraction.confidence < LOW_CONFIDENCE_BELOW && !otherLanguage && (
        <div className="border-b border-rule p-4">
          <Alert tone="warning" title="Hardly anything in this picture could be read">
            Is it mirrored, upside down, blurred or handwritten? Turn it the right way round, or take a
            sharper or larger picture.
          </Alert>
        </div>
      )}
      {otherLanguage && extraction.likelyLanguage && (
        <div className="border-b border-rule p-4">
          <OtherLanguage
            message={otherLanguage.message}
            likely={extraction.likelyLanguage}
            read={extraction.language.split('+')}
            onUpgrade={onUpgrade}
            onReadIn={onReadIn}
          />
        </div>
      )}
    </>
  );
});

/** Notices with a frame of their own. */
const LOUD: readonly string[] = ['no_text', 'other_language'];

type QuietNoticesProps = Pick<Reading, 'extraction' | 'attempt'>;

/** What else is to be known of the reading, in the line of the file. */
export function QuietNotices({
  extraction,
  attempt: { fromDocument, isSample, onDevice },
}: QuietNoticesProps) {
  const quiet = extraction.notices.filter(({ code }) => !LOUD.includes(code));
  if (!fromDocument && !isSample && !onDevice && quiet.length === 0) return null;
  return (
    <ul className="flex min-w-0 flex-wrap gap-x-3 text-sm text-ink-soft max-md:basis-full md:order-3 md:flex-1">
      {fromDocument && (
        <li>
          Text from the PDF, nothing was counted. It is as the PDF holds it, not compared with what the page
          shows.
        </li>
      )}
      {onDevice && <li>Read on this device: the picture was not sent.</li>}
      {isSample && <li>A sample that was read before: nothing was counted, and it is not kept.</li>}
      {quiet.map(({ code, message }) => (
        <li key={code}>{message}</li>
      ))}
    </ul>
  );
}

interface OtherLanguageProps extends Pick<ResultProps, 'onUpgrade' | 'onReadIn'> {
  message: string;
  likely: NonNullable<Extraction['likelyLanguage']>;
  /** Codes that the picture was read in. */
  read: readonly string[];
}

/** The text is in a language that it was not read in: what this server and the plan offer. */
function OtherLanguage({ message, likely, read, onUpgrade, onReadIn }: OtherLanguageProps) {
  const comingSoon = useSite().premiumAvailability === 'coming-soon';
  const { data: languages } = useQuery(languagesQuery);
  const found = languages?.find(({ code }) => code === likely.code);
  const [wasTold] = useState(wasPlanTold);
  const tellsPlan = found?.allowed === false && !wasTold;
  useEffect(() => {
    if (tellsPlan) rememberPlanWasTold();
  }, [tellsPlan]);
  const button = (label: string, onClick: () => void) => (
    <Button variant="secondary" size="small" onClick={onClick}>
      {label}
    </Button>
  );
  // Together with the languages it was read in: pages in one language quote others.
  const codes = [likely.code, ...read].slice(0, MAX_LANGUAGES);
  return (
    <Alert
      tone="warning"
      title={message}
      action={
        found?.allowed
          ? button(`Read it in ${likely.name}`, () => onReadIn(codes))
          : tellsPlan && !comingSoon && button('Get Premium', onUpgrade)
      }
    >
      {languages && !found && `${likely.name} is not among the languages that can be chosen here yet.`}
      {found?.allowed && 'Reading the same picture again costs nothing.'}
      {tellsPlan && `Premium reads ${likely.name}, and finds the language by itself.`}
    </Alert>
  );
}

/* The languages of the plan are named once in a visit: they are the same for every image. */

const PLAN_TOLD = 'plan-languages-told';

function wasPlanTold(): boolean {
  try {
    return sessionStorage.getItem(PLAN_TOLD) !== null;
  } catch {
    return false;
  }
}

function rememberPlanWasTold(): void {
  try {
    sessionStorage.setItem(PLAN_TOLD, '');
  } catch {
    // Shown again in a browser that stores nothing.
  }
}
