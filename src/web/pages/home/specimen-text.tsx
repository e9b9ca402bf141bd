import { DOUBTFUL_BELOW, GLANCE_BELOW } from '#contract/product';
import type { Specimen } from './specimens.ts';

/** Recognised text with its doubts drawn in as the tool itself draws them, and what was set aside below. */
export function SpecimenText({ specimen: { lines, hidden } }: { specimen: Specimen }) {
  return (
    <div className="font-mono text-xs leading-6">
      {lines.map((line) => (
        <p key={line.map(([text]) => text).join(' ')} className="pl-4 -indent-4">
          {line.map(([text, confidence], index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the words never move
            <span key={index}>
              {index > 0 && ' '}
              <Word text={text} confidence={confidence} />
            </span>
          ))}
        </p>
      ))}
      {hidden.length > 0 && (
        <p className="mt-3 border-t border-rule pt-2 text-ink-soft">
          Set aside: {hidden.map((text) => `“${text}”`).join(', ')}
        </p>
      )}
    </div>
  );
}

function Word({ text, confidence }: { text: string; confidence: number }) {
  if (confidence < DOUBTFUL_BELOW) return <mark className="doubted text-ink">{text}</mark>;
  if (confidence < GLANCE_BELOW) return <span className="doubted-slightly">{text}</span>;
  return text;
}
