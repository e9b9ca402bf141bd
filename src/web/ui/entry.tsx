import { type ReactNode, useId } from 'react';

interface EntryProps {
  title: string;
  /** By which a link on the page finds it. */
  id?: string;
  intro?: ReactNode;
  children: ReactNode;
}

/** One entry of a long page: its title in the margin, its content beside it, a rule above. */
export function Entry({ title, id: place, intro, children }: EntryProps) {
  const id = useId();
  return (
    <section
      id={place}
      aria-labelledby={id}
      className="grid gap-x-10 gap-y-4 border-t border-rule py-7 first:border-rule-heavy md:grid-cols-[18.75rem_minmax(0,1fr)] md:py-9"
    >
      <div>
        <h2 id={id} className="text-2xl">
          {title}
        </h2>
        {intro && <p className="mt-1.5 text-sm text-ink-soft">{intro}</p>}
      </div>
      <div className="min-w-0 max-w-2xl">{children}</div>
    </section>
  );
}
