import type { Connection } from "mongoose";
import type { Clock } from "../../kernel/time/clock.js";
import { invalidInput } from "../../kernel/refusal.js";
import type { DryRun } from "../audit/dry-run.js";
import type { JournalImport } from "../audit/import.js";
import { maxTransfersPerCall, type Account } from "../domain/model.js";
import type { createPosting } from "../journal/posting.js";
import type { Outbox } from "../../kernel/outbox/index.js";
import type { Approvals } from "../../platform/approvals/approvals.js";
import type { BusinessClock } from "../../platform/preferences/business-clock.js";
import type { Preferences } from "../clients/preferences.js";
import type { OwnPosting } from "../journal/own-posting.js";
import type { RunOnce } from "../../kernel/idempotency/index.js";
import type { PartnerAlarms } from "../jobs/partner-alarms.js";
import type { PositionJob } from "../jobs/positions.js";
import type { VerificationJob } from "../jobs/verifications.js";
import type { ManualJournalStore } from "../store/manual-journals.js";
import type { PartnerStore } from "../store/partners.js";
import type { MiddleRateStore } from "../store/middle-rates.js";
import type { PositionStore } from "../store/positions.js";
import type { LedgerStore } from "../store/index.js";
import type { SettlementStore } from "../store/settlements.js";
import type { PackageStore } from "../store/packages.js";
import type { PeriodStore } from "../store/periods.js";
import type { VerificationStore } from "../store/verifications.js";

export interface LedgerDeps {
  readonly db: Connection;
  readonly store: LedgerStore;
  readonly posting: ReturnType<typeof createPosting>;
  readonly dryRun: DryRun;
  readonly importJournal: JournalImport;
  readonly settlements: SettlementStore;
  readonly verifications: VerificationStore;
  readonly verificationJob: Pick<VerificationJob, "wake">;
  readonly runOnce: RunOnce;
  readonly outbox: Outbox;
  /** What the ledger posts itself. */
  readonly ownPosting: OwnPosting;
  readonly approvals: Approvals;
  readonly preferences: Preferences;
  /** Business time of tenants: days that transfers count for. */
  readonly businessClock: BusinessClock;
  readonly clock: Clock;
  readonly manualJournals: ManualJournalStore;
  readonly positions: PositionStore;
  readonly partners: PartnerStore;
  readonly partnerAlarms: Pick<PartnerAlarms, "wake">;
  readonly middleRates: MiddleRateStore;
  readonly positionJob: Pick<PositionJob, "hurry">;
  readonly periods: PeriodStore;
  readonly packages: PackageStore;
}

export function byId(accounts: readonly Account[]): Map<string, Account> {
  return new Map(accounts.map((account) => [account.info.accountId, account]));
}

/** Refuses INVALID_INPUT for none, and for more than one call may hold. */
export function checkCount(count: number, path: string): void {
  if (count >= 1 && count <= maxTransfersPerCall) return;
  throw invalidInput(path, `must hold 1 to ${maxTransfersPerCall}`);
}

/** Entries of a page: `fallback` where nothing is asked. Refuses INVALID_INPUT beyond `maximum`. */
export function pageSize(requested: number, path = "page_size", fallback = 100, maximum = 1_000): number {
  if (requested === 0) return fallback;
  if (requested >= 1 && requested <= maximum) return requested;
  throw invalidInput(path, `must be 1 to ${maximum}`);
}
