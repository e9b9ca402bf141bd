import { type ReactNode, Suspense, useSyncExternalStore } from 'react';

interface AfterHydrationProps {
  /** What the server renders, and what stands there while the code is fetched. */
  fallback?: ReactNode;
  children: ReactNode;
}

const never = () => () => {};

/** For parts whose code is fetched only in the browser: the server's renderer cannot wait for any. */
export function AfterHydration({ fallback = null, children }: AfterHydrationProps) {
  const inBrowser = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  return inBrowser ? <Suspense fallback={fallback}>{children}</Suspense> : fallback;
}
