import { tooManyUploads, tooManyUploadsFromNetwork, tooManyUploadsOfVisitor } from '../recognition.errors.ts';
import { createUploadScheduler, type ScheduledUpload } from './upload-scheduler.ts';

/** Limits of parallel uploads, from the first byte to the response. */
export const MAX_UPLOADS = { all: 1_000, address: 100, visitor: 60 } as const;
/** Shares of the memory for images. */
const SHARE = { all: 1, address: 1 / 4, visitor: 1 / 8 } as const;

type Holder = keyof typeof MAX_UPLOADS;

export interface UploadSlot {
  /** Schedules the upload's bytes among all uploads. */
  readonly turn: ScheduledUpload;
  /** Counts received bytes. @throws {AppError} if they exceed a memory limit */
  reserveMemory(bytes: number): void;
  release(): void;
}

/**
 * Limits the connections and the memory of uploads, by their number and by the received bytes. An upload whose bytes never
 * arrive only counts as one upload of its sender.
 */
export interface UploadLimiter {
  openSlot(visitor: string, address: string): Promise<UploadSlot>;
  /** For draining a rejected upload: scheduled after all admitted ones. */
  drainTurn(): ScheduledUpload;
  held(): { uploads: number; bytes: number };
}

export const LIMIT_ERRORS = {
  all: tooManyUploads,
  address: tooManyUploadsFromNetwork,
  visitor: tooManyUploadsOfVisitor,
} as const;

interface Account {
  uploads: number;
  bytes: number;
}

export function createUploadLimiter({ memoryBytes }: { memoryBytes: number }): UploadLimiter {
  const accounts = new Map<string, Account>();
  const scheduler = createUploadScheduler();

  return {
    drainTurn: scheduler.add,
    held: () => ({ uploads: 0, bytes: 0, ...accounts.get('all') }),
    async openSlot(visitor, address) {
      const holders: [Holder, string][] = [
        ['visitor', `visitor ${visitor}`],
        ['address', `address ${address}`],
        ['all', 'all'],
      ];
      const holderAccounts = holders.map(([holder, name]) => ({
        holder,
        name,
        account: accounts.get(name) ?? { uploads: 0, bytes: 0 },
      }));
      for (const { holder, account } of holderAccounts) {
        if (account.uploads >= MAX_UPLOADS[holder]) throw LIMIT_ERRORS[holder]();
      }
      for (const { name, account } of holderAccounts) {
        account.uploads++;
        accounts.set(name, account);
      }
      let reserved = 0;
      let isReleased = false;
      return {
        turn: scheduler.add(),
        reserveMemory(bytes) {
          for (const { holder, account } of holderAccounts) {
            if (account.bytes + bytes > memoryBytes * SHARE[holder]) throw LIMIT_ERRORS[holder]();
          }
          reserved += bytes;
          for (const { account } of holderAccounts) account.bytes += bytes;
        },
        release() {
          if (isReleased) return;
          isReleased = true;
          for (const { name, account } of holderAccounts) {
            account.uploads--;
            account.bytes -= reserved;
            if (account.uploads === 0) accounts.delete(name);
          }
        },
      };
    },
  };
}
