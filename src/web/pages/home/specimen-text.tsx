import { DOUBTFUL_BELOW, type Specimen } from './specimens.ts';

/** Recognised text with its doubts drawn in as the tool itself draws them, and what was set aside below. */
export function SpecimenText({ specimen: { lines, hidden } }: { specimen: Specimen }) {
  return (
    <div className="font-mono text-xs leading-6">
      {lines.map((line) => (
        <p key={line.map(([text]) => text).join(' ')}>
          {line.map(([text, confidence], index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the words never move
            <span key={index}>
              {index > 0 && ' '}
              {confidence < DOUBTFUL_BELOW ? <mark className="doubted text-ink">{text}</mark> : text}
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
