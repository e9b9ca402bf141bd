import { useEffect, useRef } from 'react';

/**
 * Has the picture that waits, or is being read, outlive the page as a list of several does; null where there is none. A visit
 * to another page of this document ends nothing.
 */
export function useKeptPicture(file: File | null, owner: string): void {
  const isFollowed = useRef(false);
  useEffect(() => {
    if (!file && !isFollowed.current) return;
    isFollowed.current = true;
    import('./kept-picture.ts').then(
      ({ followPicture }) => followPicture(file, owner),
      () => {},
    );
  }, [file, owner]);
}
