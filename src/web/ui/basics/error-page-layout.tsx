import type { ReactNode } from 'react';

interface ErrorPageLayoutProps {
  title: string;
  /** The line with the error, such as the URL that was not found. */
  line?: ReactNode;
  /** A proofreader's note beside the line. */
  note?: ReactNode;
  children: ReactNode;
  actions: ReactNode;
}

/** The layout of error pages: a proof sheet with one corrected line. */
export function ErrorPageLayout({ title, line, note, children, actions }: ErrorPageLayoutProps) {
  return (
    <div className="page-width py-12 md:py-20">
      <div className="grid max-w-4xl gap-8">
        <h1 className="text-4xl">{title}</h1>
        {line && (
          <div className="crop-marks grid gap-x-10 gap-y-5 p-6 md:grid-cols-[minmax(0,1fr)_15rem] md:p-10">
            <p className="self-center font-mono text-lg break-all md:text-xl">{line}</p>
            {note && (
              <p className="border-l-2 border-ink pl-4 font-mono text-sm text-ink-soft">
                <span aria-hidden="true" className="block text-ink">
                  ?/
                </span>
                {note}
              </p>
            )}
          </div>
        )}
        <p className="max-w-xl text-lg text-ink-soft">{children}</p>
        <div className="flex flex-wrap gap-3">{actions}</div>
      </div>
    </div>
  );
}
