import type { ReactNode } from 'react';
import { DOUBTFUL_BELOW, REVIEW_BELOW } from '#contract/product';
import { Figure } from './figure.tsx';
import specimens from './specimens.json';

const SIZES = '(min-width: 64rem) 24rem, (min-width: 48rem) 40vw, 90vw';

/** Three features, each shown by a picture and the text that the engine recognized in it. */
export function Evidence() {
  return (
    <section
      aria-labelledby="evidence"
      className="border-y border-rule bg-sheet pt-14 pb-6 md:pt-20 md:pb-10"
    >
      <div className="page-width">
        <h2 id="evidence" className="max-w-2xl text-3xl">
          Three pictures, and exactly what came out of them
        </h2>
        <div className="mt-8 md:mt-12">
          <Exhibit
            title="It marks what it doubts"
            text="Every word carries its own confidence. The few that may be wrong are underlined, so you check those and not the whole page."
            specimen={RECEIPT}
            picture={
              <Figure
                name="receipt"
                alt="A creased till receipt from Marlow and Finch, stationers, with the ring of a coffee cup on it"
                sizes={SIZES}
              />
            }
          />
          <Exhibit
            title="It leaves the icons out"
            text="Smart Text Filtering sets aside what only looks like letters. Nothing is lost: what it hid is listed, and comes back with one click."
            specimen={SCREEN}
            picture={
              <Figure
                name="screen"
                alt="A screenshot of a recipe for lemon barley soup, with icons above it and beside its lines"
                sizes={SIZES}
                className="max-w-80 border border-rule"
              />
            }
          />
          <Exhibit
            title="It is yours to edit and keep"
            text="Correct the text where it stands, then copy it or download it as a plain text file. We keep neither the picture nor the words."
            specimen={PAGE}
            picture={
              <Figure
                name="page"
                alt="The upper half of a book page headed “On proof reading”"
                sizes={SIZES}
              />
            }
          />
        </div>
      </div>
    </section>
  );
}

interface ExhibitProps {
  title: string;
  text: string;
  picture: ReactNode;
  specimen: Specimen;
}

function Exhibit({ title, text, picture, specimen }: ExhibitProps) {
  return (
    <article className="grid gap-x-10 gap-y-6 border-t border-rule-heavy py-8 md:grid-cols-5 md:py-10 lg:grid-cols-12">
      <div className="md:col-span-5 lg:col-span-3">
        <h3 className="text-2xl">{title}</h3>
        <p className="mt-3 max-w-lg text-ink-soft">{text}</p>
      </div>
      <div className="md:col-span-2 lg:col-span-4">{picture}</div>
      <div className="md:col-span-3 lg:col-span-5">
        <SpecimenText specimen={specimen} />
      </div>
    </article>
  );
}

/** Recognized text with its doubtful words marked as in the tool, and the filtered text below. */
function SpecimenText({ specimen: { lines, hidden } }: { specimen: Specimen }) {
  return (
    <div className="font-mono text-sm leading-6">
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
          Hidden: {hidden.map((text) => `“${text}”`).join(', ')}
        </p>
      )}
    </div>
  );
}

function Word({ text, confidence }: { text: string; confidence: number }) {
  if (confidence < DOUBTFUL_BELOW) return <mark className="doubted text-ink">{text}</mark>;
  if (confidence < REVIEW_BELOW) return <span className="doubted-slightly">{text}</span>;
  return text;
}

/** The engine's result for one of the page's pictures. `scripts/record-samples.ts` writes it. */
export interface Specimen {
  /** Lines of words, each with its confidence in percent. */
  lines: readonly (readonly (readonly [text: string, confidence: number])[])[];
  /** The texts that Smart Text Filtering hid. */
  hidden: readonly string[];
}

export const {
  receipt: RECEIPT,
  screen: SCREEN,
  page: PAGE,
} = specimens as unknown as Record<'receipt' | 'screen' | 'page', Specimen>;
