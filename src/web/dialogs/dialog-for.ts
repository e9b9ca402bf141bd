import type { User } from '#contract/account';
import type { Site } from '#contract/page';

/** A dialog and its initial state. */
export type DialogRequest =
  /** The small one of the navigation bar. */
  | { name: 'coming-soon' }
  | ({ name: 'waitlist' } & AtLimit)
  /** `because`: why it opened without having been asked for. */
  | { name: 'auth'; tab: AuthTab; because?: 'signed-out' | 'second-factor' | 'limit' }
  | ({ name: 'payment' } & AtLimit);

/** Opened by the daily limit and not by the visitor: the dialog explains it. */
interface AtLimit {
  because?: 'limit';
}

export type AuthTab = 'login' | 'register';

export type DialogTrigger =
  | 'sign-in'
  /** "Upgrade", "Upgrade Now", "Coming Soon - Premium Features", "Get Notified When Available". */
  | 'upgrade'
  /** An extraction was refused because the quota is used up. */
  | { requiresPayment: boolean; requiresAuth: boolean };

interface Circumstances {
  availability: Site['premiumAvailability'];
  /** Null when signed out. */
  user: Pick<User, 'isPremium'> | null;
}

/**
 * The dialog that answers a trigger; null when none does and a message on the page is enough:
 * a premium user at the month's limit has nothing to buy, only a date to wait for.
 */
export function whichDialog(
  trigger: DialogTrigger,
  { availability, user }: Circumstances,
): DialogRequest | null {
  const comingSoon = availability === 'coming-soon';
  if (trigger === 'sign-in') return comingSoon ? { name: 'coming-soon' } : { name: 'auth', tab: 'login' };
  if (trigger === 'upgrade') {
    if (comingSoon) return { name: 'waitlist' };
    return user ? { name: 'payment' } : { name: 'auth', tab: 'register' };
  }
  const because = 'limit';
  if (trigger.requiresPayment) return { name: 'payment', because };
  if (trigger.requiresAuth && !user) return { name: 'auth', tab: 'login', because };
  if (user?.isPremium) return null;
  return { name: comingSoon ? 'waitlist' : 'payment', because };
}
