import type { ReactNode } from 'react';
import { PAGES } from '#contract/paths';
import { useLocation } from '../../router/router.tsx';
import { Alert } from '../../ui/basics/alert.tsx';
import { ButtonLink } from '../../ui/basics/button.tsx';

interface MailLinkLayoutProps {
  title: string;
  intro: string;
  /** Null: the page was opened without the link. */
  token: string | null;
  children: (token: string) => ReactNode;
}

/** The layout of a page that a mailed link opens. */
export function MailLinkLayout({ title, intro, token, children }: MailLinkLayoutProps) {
  return (
    <div className="page-width py-10 md:py-16">
      <div className="mx-auto max-w-md">
        <h1 className="text-3xl">{title}</h1>
        <p className="mt-3 mb-7 text-ink-soft">{intro}</p>
        {token === null ? (
          <div className="grid justify-items-start gap-5">
            <Alert tone="warning" title="This link is incomplete">
              Open it from the mail again, or ask for a new one.
            </Alert>
            <ButtonLink to={PAGES.home} variant="secondary">
              Back to the tool
            </ButtonLink>
          </div>
        ) : (
          children(token)
        )}
      </div>
    </div>
  );
}

/** The token of a mailed link. The start page moves it from the URL into the history state. */
export function useMailedToken(): string | null {
  const { state } = useLocation();
  if (typeof state !== 'object' || state === null || !('token' in state)) return null;
  return typeof state.token === 'string' ? state.token : null;
}
