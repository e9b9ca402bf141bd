import type { QueryClient } from '@tanstack/react-query';
import type { Site } from '#contract/page';
import { numberInWords } from '#contract/product';
import { refreshPerson } from '../session/queries.ts';
import { providerName, signInName } from '../site/site.tsx';
import { toast } from '../ui/toast/toast-store.ts';
import type { UrlAction } from './parse-url-action.ts';
import type { DialogRequest } from './which-dialog.ts';

export interface Tools {
  site: Site;
  queries: QueryClient;
  open: (request: DialogRequest) => void;
  /** Fills in the payment dialog's field from now on. */
  rememberEmail: (email: string) => void;
}

/** Announces and opens what an address asks for. The words are the page's own, because anyone can plant an address. */
export function runUrlAction(landing: Exclude<UrlAction, { kind: 'link' }>, tools: Tools): void {
  if (landing.kind === 'auth') announceSignIn(landing.outcome, tools);
  else announcePayment(landing, tools);
}

function announcePayment(
  { outcome, email }: Extract<UrlAction, { kind: 'payment' }>,
  { open, rememberEmail, queries, site }: Tools,
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
        title: 'Payment under way',
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
          'The username or address was taken meanwhile. Register with another; you will not be charged again.',
      });
      return;
  }
}

function announceSignIn(
  outcome: Extract<UrlAction, { kind: 'auth' }>['outcome'],
  { site, open }: Tools,
): void {
  const provider = providerName(site.signInProvider);
  const answering = signInName(site);
  switch (outcome) {
    case 'failed':
      toast({ title: 'Error', description: `${provider} authentication failed`, variant: 'destructive' });
      return;
    case 'exists':
      open({ name: 'auth', tab: 'login' });
      toast({
        title: 'This address has an account',
        description: `Sign in with your password, then link ${answering} in your account settings.`,
      });
      return;
    case 'unpayable':
      toast({
        title: 'No account was made',
        description: 'Nothing can be paid on this server at the moment, and an account needs a payment.',
        variant: 'destructive',
      });
      return;
    case 'signed-in':
      toast({ title: 'Signed in', description: `You are signed in with ${answering}.` });
      return;
    case 'second-factor':
      open({ name: 'auth', tab: 'login', because: 'second-factor' });
      return;
    case 'linked':
      toast({ title: 'Linked', description: `You can now sign in with ${answering}.` });
      return;
  }
}

/** The account exists: the user can sign in now. */
export function welcomeRegistered(open: Tools['open']): void {
  open({ name: 'auth', tab: 'login' });
  toast({ title: 'Registration Successful!', description: 'Please sign in with your new account.' });
}

export function welcomeUpgraded({ premiumMonthlyLimit }: Site): void {
  toast({
    title: 'Welcome to Premium',
    description: `${numberInWords(premiumMonthlyLimit)} extractions a month, counted from now.`,
  });
}
