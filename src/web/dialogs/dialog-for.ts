import type { User } from '#contract/account';
import type { Site } from '#contract/page';

/** A dialog and its initial state. */
export type DialogRequest =
  /** The small dialog that “Premium Sign In” in the navigation bar opens. */
  | { name: 'coming-soon' }
  | ({ name: 'waitlist' } & AtLimit)
  /** `reason`: why it opened although the visitor did not open it. */
  | { name: 'auth'; tab: AuthTab; reason?: 'signed-out' | 'second-factor' | 'limit' }
  | ({ name: 'payment' } & AtLimit);

/** The reason is set if the daily limit opened the dialog. The dialog then shows the limit. */
interface AtLimit {
  reason?: 'limit';
}

export type AuthTab = 'login' | 'register';

export type DialogTrigger =
  | 'sign-in'
  /** The buttons "Upgrade", "Upgrade Now", "Coming Soon - Premium Features" and "Get Notified When Available". */
  | 'upgrade'
  /** An extraction was refused because the quota is used up. */
  | { requiresPayment: boolean; requiresAuth: boolean };

interface Circumstances {
  availability: Site['premiumAvailability'];
  /** Null when signed out. */
  user: Pick<User, 'isPremium'> | null;
}

/**
 * The dialog that a trigger opens. Null for a premium user at the monthly limit, who cannot buy anything and only has to
 * wait for the reset; a message on the page says so.
 */
export function dialogFor(
  trigger: DialogTrigger,
  { availability, user }: Circumstances,
): DialogRequest | null {
  const comingSoon = availability === 'coming-soon';
  if (trigger === 'sign-in') return comingSoon ? { name: 'coming-soon' } : { name: 'auth', tab: 'login' };
  if (trigger === 'upgrade') {
    if (comingSoon) return { name: 'waitlist' };
    return user ? { name: 'payment' } : { name: 'auth', tab: 'register' };
  }
  const reason = 'limit';
  if (trigger.requiresPayment) return { name: 'payment', reason };
  if (trigger.requiresAuth && !user) return { name: 'auth', tab: 'login', reason };
  if (user?.isPremium) return null;
  return { name: comingSoon ? 'waitlist' : 'payment', reason };
}
