import { type ComponentType, useEffect, useState } from 'react';

/**
 * A part whose code is fetched once it is due; null until then, and where it cannot be had. It is asked for again with
 * every other `occasion`. `atOnce`: what is there already.
 */
export function useLate<Props>(
  load: () => Promise<ComponentType<Props>>,
  isDue: boolean,
  occasion: unknown,
  atOnce: ComponentType<Props> | null = null,
): ComponentType<Props> | null {
  const [Part, setPart] = useState(() => atOnce);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an occasion is a new attempt
  useEffect(() => {
    if (!isDue) return;
    let left = false;
    load().then(
      (Loaded) => left || setPart(() => Loaded),
      () => {},
    );
    return () => {
      left = true;
    };
  }, [load, isDue, occasion]);
  return Part;
}
