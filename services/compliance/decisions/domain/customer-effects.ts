import { changeOf } from "../../../platform/approvals/approval-changes.js";
import type { ApprovalEffect } from "../../../platform/approvals/approval-effects.js";
import { isHeldByBlock } from "./customer-blocks.js";
import type { CustomerRecord } from "./customer.js";
import type { RecordedDecision } from "./recorded-decision.js";
import { hitsOf } from "../../screening/domain/hit-decision.js";
import type { Screening } from "../../screening/domain/screening.js";
import { isWaitingFor, type WaitsFor } from "./waits-for.js";

/** What an approval has done to hits: each named by its screening. */
export function hitEffects(screening: Screening, hitIds: readonly string[], step: string): ApprovalEffect[] {
  if (step !== "CONFIRMED" && step !== "RELEASED") return [];
  const kind = step === "CONFIRMED" ? "HIT_CONFIRMED" : "HIT_RELEASED";
  return hitsOf(screening, hitIds).map(({ hitId }) => ({ kind, subject: `hit:${screening.screeningId}/${hitId}` }));
}

/** The status of a customer before and after; also the one that counts from the end of a block. */
export function statusEffects(before: CustomerRecord, after: CustomerRecord): ApprovalEffect[] {
  const subject = `customer:${after.customerId}`;
  return [
    ...changeOf("status", before.status, after.status).map((change) => ({
      kind: "CUSTOMER_STATUS_SET" as const,
      subject,
      change,
    })),
    ...blockEffects(before, after),
  ];
}

function blockEffects(before: CustomerRecord, after: CustomerRecord): ApprovalEffect[] {
  const subject = `customer:${after.customerId}`;
  if (isHeldByBlock(after) && !isHeldByBlock(before)) return [{ kind: "CUSTOMER_BLOCKED", subject }];
  if (isHeldByBlock(before) && !isHeldByBlock(after)) return [{ kind: "CUSTOMER_UNBLOCKED", subject }];
  return [];
}

/**
 * Transactions that wait for a decision and get one because of it; a
 * person's review stays that person's.
 */
export function anewEffects(open: readonly RecordedDecision[], waitsFor: WaitsFor): ApprovalEffect[] {
  const waiting = open.filter((one) => isWaitingFor(waitsFor, one));
  return waiting.map(({ transactionId }) => ({
    kind: "TRANSACTION_DECIDED_ANEW",
    subject: `transaction:${transactionId}`,
  }));
}
