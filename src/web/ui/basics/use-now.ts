import { useEffect, useState } from 'react';
import { useSite } from '../../site/site.tsx';

const TICK_MS = 60_000;

/** Milliseconds since 1970 by the server's clock, because the visitor's own may be wrong; moves on once a minute. */
export function useNow(): number {
  const { now } = useSite();
  const [sinceOpened, setSinceOpened] = useState(0);
  useEffect(() => {
    const tick = () => setSinceOpened(performance.now());
    tick();
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return Date.parse(now) + sinceOpened;
}
