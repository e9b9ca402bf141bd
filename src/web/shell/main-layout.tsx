import type { ReactNode } from 'react';
import { Footer } from './footer.tsx';
import { NavigationBar } from './navigation-bar.tsx';
import { MAIN_ID } from './root.tsx';

/** The product's own pages: navigation bar, content, footer. */
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
