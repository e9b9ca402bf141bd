import { useLayoutEffect, useRef } from 'react';

/** The very same list for as long as there is the same in it. */
export function useSteadyList(list: readonly number[]): readonly number[] {
  const last = useRef(list);
  const isSame = list.length === last.current.length && list.every((value, at) => value === last.current[at]);
  const steady = isSame ? last.current : list;
  useLayoutEffect(() => {
    last.current = steady;
  });
  return steady;
}
