import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { emailProblem } from '#contract/account-rules';
import type { PaymentContext, PaymentResponse } from '#contract/billing';
import {
  numberInWords,
  PREMIUM_LANGUAGES,
  PREMIUM_PRICE,
  PRICE_TEXT,
  STORAGE_LIMIT_TEXT,
} from '#contract/product';
import { ApiError, billing, InvalidResponse, reasonOf } from '../../api/client.ts';
import { paymentQuery, userQuery } from '../../session/queries.ts';
import { useSite } from '../../site/site.tsx';
import { Alert } from '../../ui/basics/alert.tsx';
import { usePageRestored } from '../../ui/basics/browser-state.ts';
import { Button } from '../../ui/basics/button.tsx';
import { Icon } from '../../ui/basics/icon.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { problemWith, useForm } from '../../ui/forms/use-form.ts';

/** Starts the payment. Null if a successful response cannot be parsed. */
async function pay(email: string): Promise<PaymentResponse | null> {
  try {
    return await billing.ask('POST /api/payment/paypal', { body: { email, ...PREMIUM_PRICE } });
  } catch (error) {
    if (error instanceof InvalidResponse) return null;
    throw error;
  }
}

/** The features of premium. `perMonth`: extractions per month. */
const features = (perMonth: number) => [
  `${numberInWords(perMonth)} extractions per month`,
  `${STORAGE_LIMIT_TEXT} of storage for your texts`,
  'Priority processing',
  `${PREMIUM_LANGUAGES} languages`,
  'Advanced text recognition',
  'Premium support',
];

const FAILED = 'There was an error processing your payment. Please try again.';

interface PaymentDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The initial address; null for the address that the server has. */
  email: string | null;
  onPaid: (kind: 'registration' | 'upgrade') => void;
  /** Called if there is no account to pay for. */
  onRegisterFirst: () => void;
  /** Called from the notice of a server without a payment provider. */
  onWaitlist: () => void;
  /** The reason, if the daily limit opened the dialog. */
  limitNotice: ReactNode;
  returnFocusTo: () => HTMLElement | null;
}

/** The content and price of premium, the account it is for, and the link to the payment provider. */
export function PaymentDialog(props: PaymentDialogProps) {
  const { open, onOpenChange, returnFocusTo } = props;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      returnFocusTo={returnFocusTo}
      data-testid="payment-modal"
      title="Upgrade to Premium"
      description="Billed monthly, and you can cancel at any time."
    >
      {props.limitNotice}
      <Order {...props} />
    </Dialog>
  );
}

/** Mounted while the dialog is open, so that it starts with the current address and account. */
function Order({ email: givenEmail, onPaid, onRegisterFirst, onWaitlist }: PaymentDialogProps) {
  const queries = useQueryClient();
  const { premiumMonthlyLimit } = useSite();
  const user = useQuery(userQuery).data;
  // Fetched at each opening, because the account to pay for may have changed.
  const { data: context } = useQuery({ ...paymentQuery, refetchOnMount: 'always' });
  const [typedEmail, setEmail] = useState<string | null>(null);
  const [leaving, setLeaving] = useState(false);
  const registeredEmail = context?.payingFor?.kind === 'registration' ? context.payingFor.email : null;
  const email = typedEmail ?? registeredEmail ?? givenEmail ?? context?.payingFor?.email ?? user?.email ?? '';
  usePageRestored(() => setLeaving(false));

  const finish = (answer: PaymentResponse | null) => {
    if (answer?.status === 'approval') {
      setLeaving(true);
      location.assign(answer.approvalUrl);
      return;
    }
    onPaid(answer?.kind ?? (user ? 'upgrade' : 'registration'));
  };
  const { formProps, busy, failure, errorOf } = useForm<'email', PaymentResponse | null>({
    check: () => checkEmail(email),
    send: () => pay(email.trim()),
    onSuccess: finish,
    failureTitle: 'Payment Failed',
    explain: async (error) => {
      if (error instanceof ApiError && error.status === 409 && !user) {
        const now = await queries.fetchQuery({ ...paymentQuery, staleTime: 0 }).catch(() => null);
        if (now && (now.claim || !now.payingFor)) onRegisterFirst();
      }
      return reasonOf(error, FAILED);
    },
  });
  const working = busy || leaving;

  if (context?.provider === null) return <NoPaymentProvider onWaitlist={onWaitlist} />;
  return (
    <form {...formProps} className="grid gap-5">
      {context?.provider === 'demo' && (
        <Alert tone="warning" title="Demo payment">
          This server has no payment provider. Nothing is charged, and premium starts at once.
        </Alert>
      )}
      <section aria-label="Premium features">
        <ul className="grid gap-x-6 gap-y-1.5 sm:grid-cols-2">
          {features(premiumMonthlyLimit).map((feature) => (
            <li key={feature} className="flex gap-2">
              <Icon name="check" className="mt-0.5" />
              {feature}
            </li>
          ))}
        </ul>
      </section>
      <p className="flex items-baseline justify-between gap-4 border-y border-rule-heavy py-3 text-lg">
        <span>Premium Monthly</span>{' '}
        <span className="font-mono tabular-nums">
          {PRICE_TEXT}
          <span className="sr-only"> in US dollars</span>
        </span>
      </p>
      {context && !(user && !context.payingFor) && (
        <PayingFor context={context} onRegisterFirst={onRegisterFirst} />
      )}
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        data-first-focus
        value={email}
        onValue={setEmail}
        error={errorOf('email')}
      />
      {failure && (
        <Alert tone="danger" isAnnouncedElsewhere title="Payment Failed">
          {failure}
        </Alert>
      )}
      <Button type="submit" size="large" busy={working} className="w-full">
        {working
          ? 'Processing Payment...'
          : context?.provider === 'demo'
            ? 'Pay with the demo provider'
            : 'Pay with PayPal'}
      </Button>
      <p className="text-sm text-ink-soft">
        Payment is handled by the payment provider; no payment data reaches this server. All payments are
        final.
      </p>
    </form>
  );
}

/** Shown instead of the form. */
function NoPaymentProvider({ onWaitlist }: { onWaitlist: () => void }) {
  return (
    <Alert
      tone="warning"
      title="Nothing can be paid on this server at the moment"
      action={
        <Button data-first-focus variant="secondary" size="small" onClick={onWaitlist}>
          Get Notified When Available
        </Button>
      }
    >
      Leave an address, and we will write to you once, on the day premium opens.
    </Alert>
  );
}

interface PayingForProps {
  context: PaymentContext;
  onRegisterFirst: () => void;
}

/** Names the account that the payment is for, so that users do not pay for the wrong one. */
function PayingFor({ context: { payingFor, claim }, onRegisterFirst }: PayingForProps) {
  const register = (
    <Button variant="secondary" size="small" onClick={onRegisterFirst}>
      Register
    </Button>
  );
  if (claim) {
    return (
      <Alert tone="warning" title="Your payment has arrived" action={register}>
        Meanwhile, someone else took the username or the address. Register with another; you will not be
        charged again.
      </Alert>
    );
  }
  if (!payingFor) {
    return (
      <Alert title="A payment needs an account" action={register}>
        Register first, or sign in.
      </Alert>
    );
  }
  return (
    <p>
      {payingFor.kind === 'registration' ? 'For the new account ' : 'For your account '}
      <strong className="font-medium">{payingFor.username}</strong>{' '}
      <span className="text-ink-soft wrap-anywhere">({payingFor.email})</span>
      {payingFor.underWay && (
        <span className="mt-1 block text-sm text-ink-soft">
          A payment is already in progress. This continues it; nothing is charged twice.
        </span>
      )}
    </p>
  );
}

function checkEmail(email: string) {
  if (email.trim() !== '') return problemWith('email', emailProblem(email));
  return {
    title: 'Email Required',
    message: 'Please enter your email address to continue with payment.',
    fields: ['email'] as const,
  };
}
