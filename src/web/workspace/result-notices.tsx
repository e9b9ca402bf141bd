import { useQuery } from '@tanstack/react-query';
import { memo, useEffect, useState } from 'react';
import type { Extraction } from '#contract/extraction';
import { MAX_LANGUAGES } from '#contract/languages';
import { LOW_CONFIDENCE_BELOW } from '#contract/product';
import { useSite } from '../site/site.tsx';
import { Alert } from '../ui/basics/alert.tsx';
import { Button } from '../ui/basics/button.tsx';
import { languagesQuery } from './language-groups.ts';
import type { RecognitionResult } from './reading.ts';
import type { ResultProps } from './result-props.ts';

interface ResultNoticesProps extends Pick<ResultProps, 'onUpgrade' | 'onReadIn'> {
  extraction: Extraction;
}

/** Notices that need a user action. "No text found" replaces the success message. */
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

/** Codes of the notices that are shown as alerts. */
const ALERT_CODES: readonly string[] = ['no_text', 'other_language'];

type MinorNoticesProps = Pick<RecognitionResult, 'extraction' | 'attempt'>;

/** The other notices, in the header beside the file name. */
export function MinorNotices({
  extraction,
  attempt: { fromDocument, isSample, onDevice },
}: MinorNoticesProps) {
  const minor = extraction.notices.filter(({ code }) => !ALERT_CODES.includes(code));
  if (!fromDocument && !isSample && !onDevice && minor.length === 0) return null;
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
      {minor.map(({ code, message }) => (
        <li key={code}>{message}</li>
      ))}
    </ul>
  );
}

interface OtherLanguageProps extends Pick<ResultProps, 'onUpgrade' | 'onReadIn'> {
  message: string;
  likely: NonNullable<Extraction['likelyLanguage']>;
  /** The codes of the languages that the picture was read in. */
  read: readonly string[];
}

/** The text seems to be in another language than it was read in. Offers to read it again, or Premium. */
function OtherLanguage({ message, likely, read, onUpgrade, onReadIn }: OtherLanguageProps) {
  const comingSoon = useSite().premiumAvailability === 'coming-soon';
  const { data: languages } = useQuery(languagesQuery);
  const found = languages?.find(({ code }) => code === likely.code);
  const [wasMentioned] = useState(wasPlanMentioned);
  const mentionsPlan = found?.allowed === false && !wasMentioned;
  useEffect(() => {
    if (mentionsPlan) rememberPlanMention();
  }, [mentionsPlan]);
  const button = (label: string, onClick: () => void) => (
    <Button variant="secondary" size="small" onClick={onClick}>
      {label}
    </Button>
  );
  // The languages that it was read in stay, because the page may contain text in them too.
  const codes = [likely.code, ...read].slice(0, MAX_LANGUAGES);
  return (
    <Alert
      tone="warning"
      title={message}
      action={
        found?.allowed
          ? button(`Read it in ${likely.name}`, () => onReadIn(codes))
          : mentionsPlan && !comingSoon && button('Get Premium', onUpgrade)
      }
    >
      {languages && !found && `${likely.name} is not among the languages that can be chosen here yet.`}
      {found?.allowed && 'Reading the same picture again costs nothing.'}
      {mentionsPlan && `Premium reads ${likely.name}, and detects the language automatically.`}
    </Alert>
  );
}

/* The plan's languages are mentioned once in a session, because they are the same for every picture. */

const PLAN_TOLD = 'plan-languages-told';

function wasPlanMentioned(): boolean {
  try {
    return sessionStorage.getItem(PLAN_TOLD) !== null;
  } catch {
    return false;
  }
}

function rememberPlanMention(): void {
  try {
    sessionStorage.setItem(PLAN_TOLD, '');
  } catch {
    // Storage is unavailable: the plan is mentioned again.
  }
}
