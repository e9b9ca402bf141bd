import { type ReactNode, Suspense, startTransition, useEffect, useState } from 'react';
import { isOfThisMoment } from '../hydration/server-only.tsx';

interface AfterHydrationProps {
  /** What the server renders, and what stands there while the code is fetched. */
  fallback?: ReactNode;
  children: ReactNode;
}

/**
 * For parts whose code is fetched only in the browser: the server's renderer cannot wait for any. They come in a task of
 * their own, after the one in which the page takes over.
 */
export function AfterHydration({ fallback = null, children }: AfterHydrationProps) {
  const [isDue, setDue] = useState(() => !isOfThisMoment());
  useEffect(() => startTransition(() => setDue(true)), []);
  return isDue ? <Suspense fallback={fallback}>{children}</Suspense> : fallback;
}
