import type { QueryClient } from '@tanstack/react-query';
import type { Site } from '#contract/page';
import { numberInWords } from '#contract/product';
import { refreshPerson } from '../session/queries.ts';
import { providerName, signInName } from '../site/site.tsx';
import { toast } from '../ui/toast/toast-store.ts';
import type { DialogRequest } from './dialog-for.ts';
import type { UrlAction } from './parse-url-action.ts';

export interface ActionContext {
  site: Site;
  queries: QueryClient;
  open: (request: DialogRequest) => void;
  /** Sets the initial email address of the payment dialog. */
  rememberEmail: (email: string) => void;
}

/** Shows the toast and the dialog of an action. The messages are constants, because anyone can craft a URL. */
export function runUrlAction(action: Exclude<UrlAction, { kind: 'link' }>, context: ActionContext): void {
  if (action.kind === 'auth') announceSignIn(action.outcome, context);
  else announcePayment(action, context);
}

function announcePayment(
  { outcome, email }: Extract<UrlAction, { kind: 'payment' }>,
  { open, rememberEmail, queries, site }: ActionContext,
): void {
  switch (outcome) {
    case 'required':
      if (email) rememberEmail(email);
      open({ name: 'payment' });
      toast({
        title: 'Payment Required',
        description: 'Complete your premium subscription to access your account.',
      });
      return;
    case 'registered':
      welcomeRegistered(open);
      return;
    case 'upgraded':
      void refreshPerson(queries);
      welcomeUpgraded(site);
      return;
    case 'waiting':
      toast({
        title: 'Payment pending',
        description:
          'The payment provider has not confirmed it yet. You will get a mail when it has; do not pay again.',
      });
      return;
    case 'cancelled':
      toast({ title: 'Payment cancelled', description: 'Nothing was charged.' });
      return;
    case 'failed':
      toast({
        title: 'Payment Failed',
        description: 'There was an error processing your payment. Please try again.',
        variant: 'destructive',
      });
      return;
    case 'claim':
      open({ name: 'auth', tab: 'register' });
      toast({
        title: 'Your payment has arrived',
        description:
          'Meanwhile, someone else took the username or the address. Register with another; you will not be charged again.',
      });
      return;
  }
}

function announceSignIn(
  outcome: Extract<UrlAction, { kind: 'auth' }>['outcome'],
  { site, open }: ActionContext,
): void {
  const provider = providerName(site.signInProvider);
  const signInService = signInName(site);
  switch (outcome) {
    case 'failed':
      toast({ title: 'Error', description: `${provider} authentication failed`, variant: 'destructive' });
      return;
    case 'exists':
      open({ name: 'auth', tab: 'login' });
      toast({
        title: 'This address has an account',
        description: `Sign in with your password, then link ${signInService} in your account settings.`,
      });
      return;
    case 'unpayable':
      toast({
        title: 'No account was created',
        description: 'An account needs a payment, and this server cannot take payments at the moment.',
        variant: 'destructive',
      });
      return;
    case 'signed-in':
      toast({ title: 'Signed in', description: `You are signed in with ${signInService}.` });
      return;
    case 'second-factor':
      open({ name: 'auth', tab: 'login', reason: 'second-factor' });
      return;
    case 'linked':
      toast({ title: 'Linked', description: `You can now sign in with ${signInService}.` });
      return;
  }
}

/** The account has been created, and the user can sign in. */
export function welcomeRegistered(open: ActionContext['open']): void {
  open({ name: 'auth', tab: 'login' });
  toast({ title: 'Registration Successful!', description: 'Please sign in with your new account.' });
}

export function welcomeUpgraded({ premiumMonthlyLimit }: Site): void {
  toast({
    title: 'Welcome to Premium',
    description: `${numberInWords(premiumMonthlyLimit)} extractions a month, counted from now.`,
  });
}
