import type { ReactNode } from 'react';
import { PAGES } from '#contract/paths';
import { BRAND } from '#contract/product';
import { ButtonLink, Link } from '../ui/basics/button.tsx';
import { Wordmark } from '../ui/basics/display.tsx';
import { Icon } from '../ui/basics/icon.tsx';
import { Footer } from './footer.tsx';
import { NavigationBar } from './navigation-bar.tsx';
import { MAIN_ID } from './root.tsx';

/** The layout of legal pages: no navigation bar, only a link back. */
export function LegalLayout({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="border-b border-rule">
        <div className="page-width flex h-16 items-center justify-between gap-6">
          <Link
            to={PAGES.home}
            aria-label={`${BRAND.name}, home page`}
            className="-mx-1 rounded-control px-1"
          >
            <Wordmark />
          </Link>
          <ButtonLink
            to={PAGES.home}
            variant="secondary"
            size="small"
            className="min-h-8! whitespace-nowrap!"
          >
            <Icon name="back" className="size-4" />
            Back to App
          </ButtonLink>
        </div>
      </header>
      <main id={MAIN_ID} tabIndex={-1}>
        {children}
      </main>
      <Footer />
    </div>
  );
}

/** The layout of all other pages: navigation bar, content, footer. */
export function MainLayout({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <NavigationBar />
      <main id={MAIN_ID} tabIndex={-1}>
        {children}
      </main>
      <Footer />
    </div>
  );
}
