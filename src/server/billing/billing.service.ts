import type { PersonalDataSource } from '../accounts/personal-data.ts';
import { createPaymentUpkeep, type PaymentUpkeep } from './billing.upkeep.ts';
import { type Checkout, createCheckout } from './checkout.ts';
import { type Claims, type ClaimsDependencies, createClaims } from './claims.ts';
import type { Providers } from './provider.ts';
import { createProviderReturns, type ProviderReturns } from './provider-returns.ts';
import { createStopCollecting, Settlement, type SettlementDependencies } from './settlement.ts';
import { createSubscriptions, type Subscriptions } from './subscriptions.ts';

export interface Billing {
  checkout: Checkout;
  returns: ProviderReturns;
  claims: Claims;
  subscriptions: Subscriptions;
  upkeep: PaymentUpkeep;
  personalData: PersonalDataSource;
}

type BillingDependencies = SettlementDependencies &
  Omit<ClaimsDependencies, 'settlement'> & { providers: Providers };

export function createBilling(dependencies: BillingDependencies): Billing {
  const settlement = new Settlement(dependencies);
  const stopCollecting = createStopCollecting(dependencies.logger);
  const shared = { ...dependencies, settlement, stopCollecting };
  const subscriptions = createSubscriptions(dependencies);
  return {
    checkout: createCheckout(shared),
    returns: createProviderReturns(shared),
    claims: createClaims(shared),
    subscriptions,
    upkeep: createPaymentUpkeep(shared),
    personalData: {
      export: async ({ id }) => ({
        subscription: await subscriptions.state(id),
        payments: await subscriptions.payments(id),
      }),
      prepareDelete: subscriptions.endAll,
    },
  };
}
