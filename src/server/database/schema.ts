import type { PeopleTables } from './people-tables.ts';

/**
 * What is kept. Columns hold text and whole numbers only, which both databases read back alike;
 * a moment is text in ISO 8601 and UTC, so that it also sorts as text.
 */

/** A holder's quota in one period: the row that is locked while its extractions are counted. */
export interface QuotaHoldersTable {
  /** Whose quota: `visitor:…`, `address:…` and so on. */
  holder: string;
  period: string;
  period_ends: string;
  /** Milliseconds of recognition in this period that ended without a charge. */
  unpaid_ms: number;
}

/** One extraction as one holder's quota sees it: a lease until it is committed. */
export interface QuotaEntriesTable {
  /** Shared by the rows of one extraction. */
  reservation: string;
  holder: string;
  period: string;
  /** When the lease ends, unless it is committed before. */
  expires: string;
  committed: string | null;
}

export interface Schema extends PeopleTables {
  quota_holders: QuotaHoldersTable;
  quota_entries: QuotaEntriesTable;
}
