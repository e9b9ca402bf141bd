import { type ReactNode, useState } from 'react';
import type { Site } from '#contract/page';
import { numberInWords, PREMIUM_LANGUAGES } from '#contract/product';
import { premiumInterestRequestSchema } from '#contract/waitlist';
import { ApiError, reasonOf, waitlist } from '../../api/client.ts';
import { useSite } from '../../site/site.tsx';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { toast } from '../../ui/toast/toast-store.ts';

const benefits = ({ freeDailyLimit, premiumMonthlyLimit }: Site) => [
  {
    title: 'Unlimited Extractions',
    text: `${numberInWords(premiumMonthlyLimit)} pictures a month instead of ${numberInWords(freeDailyLimit)} a day.`,
  },
  { title: 'Priority Support', text: 'A person answers, and your pictures go ahead of the queue.' },
  {
    title: 'Advanced Features',
    text: `${PREMIUM_LANGUAGES} languages, and a place for the texts you want to keep.`,
  },
];

const THANKS = "We'll notify you when premium features are available.";

interface WaitlistDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The reason, if the daily limit opened the dialog. */
  limitNotice: ReactNode;
  returnFocusTo: () => HTMLElement | null;
}

/** The benefits of premium, and a form to be notified. The entered address is kept when the dialog closes. */
export function WaitlistDialog({ open, onOpenChange, limitNotice, returnFocusTo }: WaitlistDialogProps) {
  const site = useSite();
  const [email, setEmail] = useState('');
  const [joined, setJoined] = useState(false);
  const onJoined = () => {
    setJoined(true);
    setEmail('');
    toast({ title: 'Thank You!', description: THANKS });
  };
  const change = (next: boolean) => {
    if (!next) setJoined(false);
    onOpenChange(next);
  };
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      returnFocusTo={returnFocusTo}
      title="Coming Soon - Premium Features"
      description={
        joined ? undefined : 'Leave an address, and we will write to you once, on the day premium opens.'
      }
    >
      {joined ? (
        <div className="grid justify-items-start gap-5">
          <Alert title="Thank You!">{THANKS}</Alert>
          <Button ref={(button) => button?.focus()} onClick={() => change(false)}>
            Close
          </Button>
        </div>
      ) : (
        <>
          {limitNotice}
          <dl className="border-t border-rule-heavy">
            {benefits(site).map(({ title, text }) => (
              <div key={title} className="border-b border-rule py-3">
                <dt className="font-medium">{title}</dt>
                <dd className="text-sm text-ink-soft">{text}</dd>
              </div>
            ))}
          </dl>
          <WaitlistForm email={email} onEmail={setEmail} onJoined={onJoined} />
        </>
      )}
    </Dialog>
  );
}

interface WaitlistFormProps {
  email: string;
  onEmail: (email: string) => void;
  onJoined: () => void;
}

function WaitlistForm({ email, onEmail, onJoined }: WaitlistFormProps) {
  const { formProps, busy, failure, errorOf } = useForm<'email', Response>({
    check: () => checkEmail(email),
    send: () => waitlist.send('POST /api/premium-interest', { body: { email: email.trim() } }),
    onSuccess: onJoined,
    failureTitle: 'Submission Failed',
    explain: (error) =>
      reasonOf(error, error instanceof ApiError ? 'Failed to save email' : 'Please try again.'),
  });
  return (
    <form {...formProps} className="mt-5 grid gap-4">
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        data-first-focus
        value={email}
        onValue={onEmail}
        error={errorOf('email')}
      />
      {failure && (
        <Alert tone="danger" isAnnouncedElsewhere title="Submission Failed">
          {failure}
        </Alert>
      )}
      <Button type="submit" busy={busy} className="w-full">
        {busy ? 'Saving...' : 'Notify Me'}
      </Button>
    </form>
  );
}

function checkEmail(email: string) {
  const issue = premiumInterestRequestSchema.safeParse({ email }).error?.issues[0];
  if (!issue) return null;
  const fields = ['email'] as const;
  return email.trim() === ''
    ? { title: 'Email Required', message: 'Please enter your email address.', fields }
    : { message: issue.message, fields };
}
