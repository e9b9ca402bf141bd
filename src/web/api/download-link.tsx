import { type MouseEvent, type ReactNode, useState } from 'react';
import { toast } from '../ui/toast/toast-store.ts';
import { ApiError, accounts, reasonOf } from './client.ts';

/**
 * A download that requires a session. The session is checked first, because the browser shows no error for a failed
 * download, or saves the error as the file.
 */
export function DownloadLink({ href, children }: { href: string; children: ReactNode }) {
  const [isChecking, setIsChecking] = useState(false);
  const onClick = async (event: MouseEvent) => {
    event.preventDefault();
    if (isChecking) return;
    setIsChecking(true);
    try {
      await accounts.send('GET /api/account');
      location.assign(href);
    } catch (error) {
      const isSignedOut = error instanceof ApiError && error.status === 401;
      const description = await reasonOf(error, 'The file could not be downloaded. Please try again.');
      if (!isSignedOut) toast({ title: 'Download failed', description, variant: 'destructive' });
    } finally {
      setIsChecking(false);
    }
  };
  return (
    <a
      href={href}
      download
      aria-busy={isChecking || undefined}
      className="text-link inline-flex min-h-11 items-center"
      onClick={onClick}
    >
      {children}
    </a>
  );
}
