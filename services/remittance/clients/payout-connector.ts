import type { Money } from "../../kernel/money.js";
import type { PartnerCall } from "../../platform/partners/sender.js";
import type { OrderParties } from "../../platform/plugins/party-contract.js";
import type { PayoutAmendment } from "../../platform/plugins/payout-contract.js";
import { Refusal } from "../../kernel/refusal.js";
import type { KeyValue } from "../domain/credit-party.js";
import type { DeliveryMethod } from "../domain/corridor.js";
import type { ForcedTreatment } from "../domain/forced-payout.js";
import type { PartnerPayout } from "../domain/payout.js";
import type { PartnerStatementLine } from "../domain/reconcile.js";
import type { TraceAnswer } from "../domain/trace.js";

/**
 * A statement that goes on for ever, or in circles: the partner breaks its
 * contract, and nothing more is read.
 */
export class StatementFault extends Refusal {
  constructor(what: string) {
    super("UNAVAILABLE", `the partner's statement cannot be read to its end: ${what}`);
  }
}

/** An order says more of its parties than its partner is told now: nothing was sent. */
export class PartiesUntold extends Refusal {
  constructor(why: string) {
    super("UNAVAILABLE", why);
  }
}

/** On whose behalf, and at which partner. */
export interface PayoutCall extends PartnerCall {
  /** Whom the payout was handed over to; the operator's default where absent. */
  installationId?: string | undefined;
  /**
   * Of the payout that is asked about: what the partner says of another one counts as no answer.
   */
  currency?: string;
}

/** What the partner is asked to pay out. */
export interface PayoutOrder {
  /** Ours, the transaction's id: however often it is sent, the partner pays it once. */
  reference: string;
  amount: Money;
  method: DeliveryMethod;
  creditParty: readonly KeyValue[];
  /** Who pays, who is paid and why: for partners of contract 2, the same whenever it is sent. */
  parties?: OrderParties;
  /** Where the partner is to call back, the same whenever it is sent; absent asks for none. */
  callbackUrl?: string;
  /** Members that the transparency policy asks: it never goes where they would not be said. */
  askedMembers?: readonly string[];
  /** Of a sandbox alone: what its partner is to do with the order. */
  forced?: ForcedTreatment;
}

/**
 * A payout network. Every call throws Refusal UNAVAILABLE while the outcome is unknown (no answer,
 * a cut connection, 5xx, an answer about another payout, a breaker that is open): it is never a
 * refusal of the payout, which only an answer can say.
 */
export interface PayoutConnector {
  /** Throws PartiesUntold as well. */
  submit(order: PayoutOrder, call: PayoutCall): Promise<PartnerPayout>;
  /**
   * Hands in many at once, but those of which submit would throw PartiesUntold. What became of each
   * is asked by its reference.
   */
  submitBatch(batchReference: string, orders: readonly PayoutOrder[], call: PayoutCall): Promise<void>;
  /** Undefined where the partner does not know the reference. */
  find(reference: string, call: PayoutCall): Promise<PartnerPayout | undefined>;
  /** RECALLED where it worked, also of what never arrived; otherwise what the payout has become. */
  recall(reference: string, call: PayoutCall): Promise<PartnerPayout>;
  /**
   * Of contract 2: has names put right of what it has; the same amendmentId is one amendment
   * however often it is sent. Undefined where the partner does not know the reference.
   */
  amend(reference: string, amendment: PayoutAmendment, call: PayoutCall): Promise<TraceAnswer | undefined>;
  /** When payouts that wait for a window go out next. */
  nextWindow(call: PayoutCall): Promise<Date>;
  /**
   * Throws StatementFault. Lines from (inclusive) to (exclusive), by
   * the partner's time, in its order.
   */
  statement(range: { from?: Date; to?: Date }, call: PayoutCall): AsyncIterable<PartnerStatementLine>;
}
