import type { AnyTransaction } from '../platform/database.ts';
import type { SecondFactorService } from './second-factor/second-factor.service.ts';
import type { Sessions } from './sessions.ts';
import type { SignIns } from './sign-ins.ts';
import type { Accounts, User } from './users.repository.ts';

export interface PersonalDataSource {
  /** The slice's part of a user's data export. */
  export?(user: User): Promise<object>;
  /** Revokes what opens the account without its password. In the transaction that sets the new password. */
  revokeKeys?(transaction: AnyTransaction, userId: string): Promise<void>;
  /** Settles it before the account goes; the slice may ask outside parties here. */
  prepareDelete?(userId: string): Promise<void>;
  /** In the transaction in which the account goes. */
  delete?(transaction: AnyTransaction, user: User): Promise<void>;
}

interface PersonalDataDependencies {
  accounts: Accounts;
  secondFactor: SecondFactorService;
  sessions: Sessions;
  signIns: SignIns;
  personalDataSources: readonly PersonalDataSource[];
}

/** Everything that is kept of a person but their texts, of which there may be a gigabyte. */
export type PersonalData = (userId: string) => Promise<object>;

export function createPersonalData(dependencies: PersonalDataDependencies): PersonalData {
  const { accounts, secondFactor, sessions, signIns, personalDataSources } = dependencies;
  return async (userId) => {
    const user = await accounts.find(userId);
    if (!user) return {};
    const data = {
      username: user.username,
      email: user.email,
      pendingEmail: user.pending_email,
      emailVerifiedAt: user.email_verified_at,
      createdAt: user.created_at,
      signInProviders: await accounts.identities(userId),
      secondFactor: await secondFactor.status(userId),
      knownBrowsers: await signIns.list(userId),
      sessions: await sessions.list({ userId, sessionId: '' }),
      savedTextsBytes: user.storage_bytes,
    };
    for (const source of personalDataSources) Object.assign(data, await source.export?.(user));
    return data;
  };
}
