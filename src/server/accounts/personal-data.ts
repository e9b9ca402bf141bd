import type { AnyTransaction } from '../platform/database.ts';
import type { SecondFactorService } from './second-factor/second-factor.service.ts';
import type { Sessions } from './sessions.ts';
import type { SignIns } from './sign-ins.ts';
import type { Accounts, User } from './users.repository.ts';

export interface PersonalDataSource {
  /** The slice's part of a user's data export. */
  export?(user: User): Promise<object>;
  /** Revokes other credentials, in the transaction that sets a new password. */
  revokeKeys?(transaction: AnyTransaction, userId: string): Promise<void>;
  /** Runs before the account is deleted; may call external services. */
  prepareDelete?(userId: string): Promise<void>;
  /** Runs in the transaction that deletes the account. */
  delete?(transaction: AnyTransaction, user: User): Promise<void>;
}

interface PersonalDataDependencies {
  accounts: Accounts;
  secondFactor: SecondFactorService;
  sessions: Sessions;
  signIns: SignIns;
  personalDataSources: readonly PersonalDataSource[];
}

/** All data of a user except for saved texts, which may be a gigabyte. */
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
