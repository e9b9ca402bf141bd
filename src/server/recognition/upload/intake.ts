import { tooManyUploads, tooManyUploadsFromNetwork, tooManyUploadsOfOne } from '../recognition.errors.ts';
import { createUploadTurns, type UploadTurn } from './upload-turns.ts';

/** Limits of parallel uploads, from the first byte to the answer. */
export const MAX_UPLOADS = { all: 1_000, address: 100, visitor: 60 } as const;
/** Shares of the memory for images. */
const SHARE = { all: 1, address: 1 / 4, visitor: 1 / 8 } as const;

type Holder = keyof typeof MAX_UPLOADS;

export interface UploadSlot {
  /** Its place in the schedule of uploads. */
  readonly turn: UploadTurn;
  /** Counts received bytes. @throws {AppError} if they exceed a memory limit */
  keep(bytes: number): void;
  release(): void;
}

/**
 * Limits the memory and the connections of uploads: by their number, and by the received bytes. An upload holder bytes never
 * arrive costs only one place of its sender.
 */
export interface Intake {
  openSlot(visitor: string, address: string): Promise<UploadSlot>;
  /** For draining a rejected upload: scheduled after all admitted ones. */
  lastTurn(): UploadTurn;
  held(): { uploads: number; bytes: number };
}

export const REFUSAL = {
  all: tooManyUploads,
  address: tooManyUploadsFromNetwork,
  visitor: tooManyUploadsOfOne,
} as const;

interface Account {
  uploads: number;
  bytes: number;
}

export function createIntake({ memoryBytes }: { memoryBytes: number }): Intake {
  const accounts = new Map<string, Account>();
  const turns = createUploadTurns();

  return {
    lastTurn: turns.enter,
    held: () => ({ uploads: 0, bytes: 0, ...accounts.get('all') }),
    async openSlot(visitor, address) {
      const holders: [Holder, string][] = [
        ['visitor', `visitor ${visitor}`],
        ['address', `address ${address}`],
        ['all', 'all'],
      ];
      const taken = holders.map(([holder, name]) => ({
        holder,
        name,
        account: accounts.get(name) ?? { uploads: 0, bytes: 0 },
      }));
      for (const { holder, account } of taken) {
        if (account.uploads >= MAX_UPLOADS[holder]) throw REFUSAL[holder]();
      }
      for (const { name, account } of taken) {
        account.uploads++;
        accounts.set(name, account);
      }
      let kept = 0;
      let left = false;
      return {
        turn: turns.enter(),
        keep(bytes) {
          for (const { holder, account } of taken) {
            if (account.bytes + bytes > memoryBytes * SHARE[holder]) throw REFUSAL[holder]();
          }
          kept += bytes;
          for (const { account } of taken) account.bytes += bytes;
        },
        release() {
          if (left) return;
          left = true;
          for (const { name, account } of taken) {
            account.uploads--;
            account.bytes -= kept;
            if (account.uploads === 0) accounts.delete(name);
          }
        },
      };
    },
  };
}
