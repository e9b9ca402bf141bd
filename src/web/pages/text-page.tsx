import type { ReactNode } from 'react';

interface TextPageProps {
  title: string;
  /** A line above the text, such as a date. */
  dateline?: ReactNode;
  children: ReactNode;
}

/** A page to be read: one column at a reader's measure, headings hung on a rule. */
export function TextPage({ title, dateline, children }: TextPageProps) {
  return (
    <article className="page-width py-10 md:py-16">
      <div className="mx-auto max-w-2xl">
        <h1 className="text-4xl">{title}</h1>
        {dateline && <p className="mt-4 text-sm text-ink-soft">{dateline}</p>}
        <div className="reading mt-8 border-t border-ink pt-8">{children}</div>
      </div>
    </article>
  );
}
