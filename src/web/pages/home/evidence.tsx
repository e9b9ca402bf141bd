import type { ReactNode } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { Figure } from './figure.tsx';
import { SpecimenText } from './specimen-text.tsx';
import { PAGE, RECEIPT, SCREEN } from './specimens.ts';

/** Three features, each shown by a picture and by what the engine really read in it. */
export function Evidence() {
  return (
    <section aria-labelledby="evidence" className="border-y border-rule bg-sheet py-14 md:py-20">
      <div className="page-width">
        <h2 id="evidence" className="max-w-2xl text-3xl">
          Three pictures, and exactly what came out of them
        </h2>
        <div className="mt-10 grid gap-x-10 gap-y-14 md:mt-14 lg:grid-cols-12">
          <Exhibit
            className="lg:col-span-12 lg:grid-cols-12 lg:gap-x-10"
            title="It marks what it doubts"
            text="Every word carries its own confidence. The few that may be wrong are underlined, so you check those and not the whole page."
            picture={
              <Figure
                name="receipt"
                alt="A creased till receipt from Marlow and Finch, stationers, photographed on a dark table"
                sizes="(min-width: 64rem) 28rem, (min-width: 48rem) 40vw, 90vw"
              />
            }
            output={<SpecimenText specimen={RECEIPT} />}
            wide
          />
          <Exhibit
            className="lg:col-span-5"
            title="It leaves the buttons out"
            text="Smart Text Filtering sets clocks, menus and stray icons aside. What it hid stays listed, and comes back with one click."
            picture={
              <Figure
                name="screen"
                alt="A screenshot of a chat about a workshop, with a status bar above and buttons around it"
                sizes="(min-width: 48rem) 13rem, 50vw"
              />
            }
            output={<SpecimenText specimen={SCREEN} />}
          />
          <Exhibit
            className="lg:col-span-7"
            title="It is yours to edit and keep"
            text="Correct the text where it stands, then copy it or download it as a plain text file. We keep neither the picture nor the words."
            picture={
              <Figure
                name="page"
                alt="The upper half of a book page headed “On proof reading”"
                sizes="(min-width: 64rem) 20rem, (min-width: 48rem) 40vw, 90vw"
              />
            }
            output={<SpecimenText specimen={PAGE} />}
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
  output: ReactNode;
  wide?: boolean;
  className?: string;
}

function Exhibit({ title, text, picture, output, wide = false, className }: ExhibitProps) {
  return (
    <article className={classNames('grid content-start gap-x-6 gap-y-5 md:grid-cols-2', className)}>
      <div className={wide ? 'lg:col-span-5' : 'md:order-1'}>{picture}</div>
      <div className={wide ? 'contents' : 'contents'}>
        <div className={classNames(wide ? 'lg:col-span-7' : 'md:order-3 md:col-span-2')}>
          <h3 className="text-2xl">{title}</h3>
          <p className="mt-2 max-w-lg text-ink-soft">{text}</p>
          {wide && <div className="mt-6 border-t border-ink pt-5">{output}</div>}
        </div>
        {!wide && <div className="md:order-2">{output}</div>}
      </div>
    </article>
  );
}
