import { useEffect, useState } from 'react';
import { Button } from '../ui/basics/button.tsx';

/** Stands above the tool where it was opened without a network. */
export function OfflineNotice() {
  const [isBack, setBack] = useState(false);
  useEffect(() => {
    const onBack = () => setBack(true);
    const onGone = () => setBack(false);
    window.addEventListener('online', onBack);
    window.addEventListener('offline', onGone);
    return () => {
      window.removeEventListener('online', onBack);
      window.removeEventListener('offline', onGone);
    };
  }, []);
  return (
    <p role="status" className="border-b border-rule bg-marker-wash px-5 py-2 text-center text-sm text-ink">
      {isBack ? (
        <>
          You are connected again.{' '}
          <Button variant="quiet" onClick={() => location.reload()}>
            Load the page
          </Button>{' '}
          to read pictures.
        </>
      ) : (
        'You are offline. Results that this browser keeps can be opened, changed and copied; a picture can be read once you are connected again.'
      )}
    </p>
  );
}
