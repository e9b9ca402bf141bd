import type { PersonalDataSource } from '../accounts/personal-data.ts';
import { createPaymentMaintenance, type PaymentMaintenance } from './billing.maintenance.ts';
import { type Checkout, createCheckout } from './checkout.ts';
import {
  createRegistrationClaims,
  type RegistrationClaims,
  type RegistrationClaimsDependencies,
} from './claims.ts';
import { createSubscriptionCanceler, Fulfillment, type FulfillmentDependencies } from './fulfillment.ts';
import type { Providers } from './provider.ts';
import { createProviderCallbacks, type ProviderCallbacks } from './provider-callbacks.ts';
import { createSubscriptions, type Subscriptions } from './subscriptions.ts';

export interface Billing {
  checkout: Checkout;
  providerCallbacks: ProviderCallbacks;
  registrationClaims: RegistrationClaims;
  subscriptions: Subscriptions;
  maintenance: PaymentMaintenance;
  personalData: PersonalDataSource;
}

type BillingDependencies = FulfillmentDependencies &
  Omit<RegistrationClaimsDependencies, 'fulfillment'> & { providers: Providers };

export function createBilling(dependencies: BillingDependencies): Billing {
  const fulfillment = new Fulfillment(dependencies);
  const cancelSubscription = createSubscriptionCanceler(dependencies.logger);
  const shared = { ...dependencies, fulfillment, cancelSubscription };
  const subscriptions = createSubscriptions(dependencies);
  return {
    checkout: createCheckout(shared),
    providerCallbacks: createProviderCallbacks(shared),
    registrationClaims: createRegistrationClaims(shared),
    subscriptions,
    maintenance: createPaymentMaintenance(shared),
    personalData: {
      export: async ({ id }) => ({
        subscription: await subscriptions.state(id),
        payments: await subscriptions.payments(id),
      }),
      prepareDelete: subscriptions.endAll,
    },
  };
}
