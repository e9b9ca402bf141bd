import { useEffect, useState } from 'react';
import { Button } from '../ui/basics/button.tsx';

/** A notice above the tool on a page that was opened offline. */
export function OfflineNotice() {
  const [isBack, setBack] = useState(false);
  useEffect(() => {
    const onOnline = () => setBack(true);
    const onOffline = () => setBack(false);
    window.addEventListener('online', onOnline);
    window.addEventListener('offline', onOffline);
    return () => {
      window.removeEventListener('online', onOnline);
      window.removeEventListener('offline', onOffline);
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
        'You are offline. Results that this browser has stored can be opened, changed and copied; a picture can be read once you are connected again.'
      )}
    </p>
  );
}
