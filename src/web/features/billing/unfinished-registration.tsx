import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { reasonOf, registration } from '../../api/client.ts';
import { paymentQuery } from '../../session/queries.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { momentInWords } from '../../ui/basics/words.ts';
import { toast } from '../../ui/toast/toast-store.ts';

interface UnfinishedRegistrationProps {
  onPay: () => void;
  onRegister: () => void;
  onSignIn: () => void;
  className?: string;
}

/**
 * A notice of a registration that was started in this browser: not paid yet, paid and ready, paid but without a free
 * username, or lost to someone else. Renders nothing without such a registration.
 */
export function UnfinishedRegistration({
  onPay,
  onRegister,
  onSignIn,
  className,
}: UnfinishedRegistrationProps) {
  const { data: context } = useQuery(paymentQuery);
  const drop = useDropRegistration();
  if (!context) return null;
  const { payingFor, finished, claim, provider } = context;
  const discardAction = (label: string) => (
    <Button
      variant="ghost"
      size="small"
      busy={drop.isPending}
      onClick={() => void drop.start(payingFor?.underWay ?? false)}
    >
      {label}
    </Button>
  );
  const mainAction = (label: string, onClick: () => void) => (
    <Button variant="secondary" size="small" onClick={onClick}>
      {label}
    </Button>
  );

  if (finished) {
    return (
      <Notice
        title="Registration Successful!"
        className={className}
        actions={[mainAction('Sign in', onSignIn), discardAction('Dismiss')]}
      >
        Your payment has arrived, and the account <strong>{finished.username}</strong> is ready.
      </Notice>
    );
  }
  if (payingFor?.kind !== 'registration') return null;
  const who = (
    <>
      <strong className="font-medium text-ink">{payingFor.username}</strong>{' '}
      <span className="wrap-anywhere">({payingFor.email})</span>
    </>
  );
  if (claim) {
    return (
      <Notice
        title="Finish your registration"
        className={className}
        actions={[mainAction('Register with another', onRegister)]}
      >
        Your payment for {who} has arrived, but meanwhile someone else took the username or the address. You
        will not be charged again.
      </Notice>
    );
  }
  if (payingFor.lost) {
    return (
      <Notice
        title="Your registration cannot be finished"
        className={className}
        actions={[mainAction('Register again', onRegister), discardAction('Drop it')]}
      >
        The username or the address of {who} was taken by someone else before the payment. Nothing was
        charged.
      </Notice>
    );
  }
  return (
    <Notice
      title="Finish your registration"
      className={className}
      actions={[provider && mainAction('Continue to payment', onPay), discardAction('Drop it')]}
    >
      {payingFor.underWay ? (
        <>
          A payment for {who} was started. If you have paid already, wait for our mail. If you continue,
          nothing is charged twice.
        </>
      ) : (
        <>
          {who} waits for its payment
          {payingFor.keptUntil && (
            <>
              {' '}
              and is kept for you until{' '}
              <time dateTime={payingFor.keptUntil}>{momentInWords(payingFor.keptUntil)}</time>
            </>
          )}
          .
        </>
      )}
      {!provider && ' Nothing can be paid on this server at the moment.'}
    </Notice>
  );
}

function Notice({
  title,
  actions,
  className,
  children,
}: {
  title: string;
  actions: readonly ReactNode[];
  className: string | undefined;
  children: ReactNode;
}) {
  return (
    <section aria-label={title} className={className}>
      <Alert title={title} action={<div className="flex flex-wrap gap-2">{actions.map(keyed)}</div>}>
        {children}
      </Alert>
    </section>
  );
}

const keyed = (action: ReactNode, index: number) => <span key={`${index + 1}`}>{action}</span>;

/** Not `useMutation`: the start page loads this code at once and needs the library's mutations for nothing else. */
function useDropRegistration() {
  const queries = useQueryClient();
  const [isPending, setPending] = useState(false);
  const start = async (isPaymentStarted: boolean) => {
    setPending(true);
    try {
      await registration.send('POST /api/registration/drop');
      toast({
        title: 'Registration dropped',
        description: isPaymentStarted
          ? 'If the payment that you started still arrives, the account is created and you get a mail.'
          : 'Nothing was charged, and the username is free again.',
      });
    } catch (error) {
      const description = await reasonOf(error, 'It could not be dropped. Please try again.');
      toast({ title: 'Error', description, variant: 'destructive' });
    }
    await queries.invalidateQueries(paymentQuery);
    setPending(false);
  };
  return { isPending, start };
}
