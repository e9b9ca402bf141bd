import { tooManyUploads, tooManyUploadsFromNetwork, tooManyUploadsOfOne } from '../recognition.errors.ts';
import { createUploadTurns, type UploadTurn } from './upload-turns.ts';

/** Pictures that may be on their way in or wait for their answers: of everybody, of one address, of one visitor. */
export const MOST_UPLOADS = { all: 1_000, address: 100, visitor: 60 } as const;
/** Shares of the memory for pictures. */
const SHARE = { all: 1, address: 1 / 4, visitor: 1 / 8 } as const;

type Whose = keyof typeof MOST_UPLOADS;

export interface UploadSlot {
  /** In the order in which they were admitted. */
  readonly turn: UploadTurn;
  /** Counts bytes that have arrived and are kept. @throws {AppError} when there is no memory for them */
  keep(bytes: number): void;
  leave(): void;
}

/**
 * Bounds the memory of pictures, whoever sends them: by their number, so that connections are bounded, and by the bytes
 * that have arrived. An announced upload that does not come costs only one place of its sender's.
 */
export interface Intake {
  openSlot(visitor: string, address: string): Promise<UploadSlot>;
  /** For one that is refused and goes on arriving: behind all that are admitted by now. */
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
      const holders: [Whose, string][] = [
        ['visitor', `visitor ${visitor}`],
        ['address', `address ${address}`],
        ['all', 'all'],
      ];
      const taken = holders.map(([whose, name]) => ({
        whose,
        name,
        account: accounts.get(name) ?? { uploads: 0, bytes: 0 },
      }));
      for (const { whose, account } of taken) {
        if (account.uploads >= MOST_UPLOADS[whose]) throw REFUSAL[whose]();
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
          for (const { whose, account } of taken) {
            if (account.bytes + bytes > memoryBytes * SHARE[whose]) throw REFUSAL[whose]();
          }
          kept += bytes;
          for (const { account } of taken) account.bytes += bytes;
        },
        leave() {
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
