import { type MouseEvent, type ReactNode, useState } from 'react';
import { toast } from '../ui/toast/toast-store.ts';
import { ApiError, people, reasonOf } from './client.ts';

/**
 * A download that requires a session. The session is checked first, because a failed download would show nothing, or save a
 * file with the error.
 */
export function DownloadLink({ href, children }: { href: string; children: ReactNode }) {
  const [asking, setAsking] = useState(false);
  const onClick = async (event: MouseEvent) => {
    event.preventDefault();
    if (asking) return;
    setAsking(true);
    try {
      await people.send('GET /api/account');
      location.assign(href);
    } catch (error) {
      const isSignedOut = error instanceof ApiError && error.status === 401;
      const description = await reasonOf(error, 'The file could not be had. Please try again.');
      if (!isSignedOut) toast({ title: 'Download failed', description, variant: 'destructive' });
    } finally {
      setAsking(false);
    }
  };
  return (
    <a
      href={href}
      download
      aria-busy={asking || undefined}
      className="text-link inline-flex min-h-11 items-center"
      onClick={onClick}
    >
      {children}
    </a>
  );
}
