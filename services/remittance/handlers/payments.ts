import type { RemittanceServiceDefinition } from "../../../proto/gen/remittance/v1/remittance.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import { actorOf, type Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { moneyFromWire, moneyToWire } from "../../kernel/money.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { idFromWire, textFromWire, trimmedFromWire } from "../../kernel/text/wire-text.js";
import { partyBounds } from "../../platform/plugins/party-contract.js";
import {
  claim,
  claimAsked,
  dueOf,
  isPaidBy,
  markPaid,
  notYetPayable,
  release,
  type ClaimRequest,
} from "../domain/payment-claim.js";
import { promisedDay } from "../domain/promised-day.js";
import type { Change, Transaction } from "../domain/transaction.js";
import { fundings, transparencyIncomplete, type Funding } from "../domain/transparency.js";
import { askAtClaim } from "../clients/claim-transparency.js";
import type { RemittanceDeps } from "./deps.js";
import { createDisclosures } from "./disclosures.js";

/** What wallet asks of a transaction while a payment for it runs (docs/decisions/0006). */
export function paymentHandlers(deps: RemittanceDeps) {
  const { store, accounts, outbox, clock, times, steps } = deps;
  const disclosures = createDisclosures(deps);

  async function find(id: string, call: Call): Promise<Transaction> {
    const transaction = await store.forTenant(call.tenantId).findTransaction(idFromWire(id, "transactionId"));
    if (transaction === undefined) throw new Refusal("TRANSACTION_NOT_FOUND", "no such transaction");
    return transaction;
  }

  /**
   * One compare-and-set on the transaction's version; decides again when somebody else was first.
   */
  async function change(
    id: string,
    call: Call,
    decide: (now: Transaction) => Change | undefined,
  ): Promise<Transaction> {
    const stamp = { at: clock.now(), actor: actorOf(call) };
    for (;;) {
      const before = await find(id, call);
      const step = decide(before);
      if (step === undefined) return before;
      const after = await store.forTenant(call.tenantId).change(before, step, stamp);
      if (after !== undefined) return after;
      call.signal.throwIfAborted();
    }
  }

  /**
   * A claim is decided once. Two drivers of one payment may ask while the transaction changes in
   * between: were one refused and the other served, the first would end the payment as failed after
   * the second had moved its money.
   */
  async function decideClaim(id: string, ask: ClaimRequest, funding: Funding, call: Call): Promise<Transaction> {
    const tenant = store.forTenant(call.tenantId);
    const stamp = { at: clock.now(), actor: actorOf(call) };
    for (;;) {
      const before = await find(id, call);
      const decided = decisionOf(() => claim(before, ask, clock.now()));
      if (decided.refusal !== undefined) {
        const { refusal } = decided;
        // Every other refusal would be the same at any later time.
        const mayTurn = refusal.code === "TRANSACTION_NOT_PAYABLE" && notYetPayable.includes(before.status);
        if (!mayTurn || (await tenant.refuseClaim(id, ask.paymentId, notYetPayable))) throw refusal;
      } else {
        if (decided.change === undefined) return before;
        const asked = await askAtClaim(deps, before, funding, call);
        const disclosed = await disclosures.heldNow(before.transferInformation, call);
        const change = { ...decided.change, set: { ...decided.change.set, disclosed } };
        const after = await tenant.change(before, claimAsked(before, change, ask, asked), stamp);
        if (after !== undefined && asked.missing.length > 0) throw transparencyIncomplete(asked.missing);
        if (after !== undefined) return after;
      }
      call.signal.throwIfAborted();
    }
  }

  return {
    async claimTransaction(request, call) {
      const paymentId = idFromWire(request.paymentId, "paymentId");
      const customerId = idFromWire(request.customerId, "customerId");
      const total = moneyFromWire(request.totalAmount, "totalAmount");
      const funding = fundingFromWire(request.funding);
      const { transactionId, accountNumber: debited } = request;
      const tillId = trimmedFromWire(request.tillId, "tillId", 128, true);
      const agentId = trimmedFromWire(request.agentId, "agentId", 128, true);
      if (tillId !== "" && agentId !== "") throw invalidInput("agentId", "must be empty where a till takes it");
      if (`${tillId}${agentId}` !== "" && funding !== "CASH") {
        throw invalidInput("funding", "must be CASH where a till or an agent takes it");
      }
      const accountNumber = textFromWire(debited, "accountNumber", { minimum: 0, maximum: partyBounds.account });
      const payer = { accountNumber, ...(tillId !== "" && { tillId }), ...(agentId !== "" && { agentId }) };
      const ask = { paymentId, customerId, total, ...payer };
      const claimed = await decideClaim(transactionId, ask, funding, call);
      crashPoint("remittance.claim.claimed");
      // What the answer names must exist; a repeated claim makes it good where this was cut off.
      const named = await accounts.ensure(claimed.price.total.currency, call);
      const { principal, totalFees, totalTaxes } = dueOf(claimed);
      return {
        principal: moneyToWire(principal),
        totalFees: moneyToWire(totalFees),
        totalTaxes: moneyToWire(totalTaxes),
        clearingAccountId: named.clearing,
        feeIncomeAccountId: named.feeIncome,
        taxPayableAccountId: named.taxPayable,
        transactionCode: claimed.transactionCode,
      };
    },

    async releaseTransaction(request, call) {
      const paymentId = idFromWire(request.paymentId, "paymentId");
      const reason = trimmedFromWire(request.reason, "reason", 500, true);
      await change(request.transactionId, call, (now) => release(now, paymentId, reason));
      crashPoint("remittance.release.released");
      return {};
    },

    async markTransactionPaid(request, call) {
      const paymentId = idFromWire(request.paymentId, "paymentId");
      const transactionId = idFromWire(request.transactionId, "transactionId");
      // The ledger tells real time; how long it may be cancelled goes by the tenant's.
      const paidAt = await steps.tenantTime.ofReal(call.tenantId, request.paidAt ?? clock.now());
      const tenant = store.forTenant(call.tenantId);
      const isPaid = async () => {
        const now = await tenant.findTransaction(transactionId);
        return now !== undefined && isPaidBy(now, paymentId) ? true : undefined;
      };
      if ((await isPaid()) === true) return {};
      const by = { actor: actorOf(call), interactionId: call.interactionId };
      // Where compliance took its time it is promised anew, as it was shown before the payment.
      const { timeZone } = await times.forTenant(call.tenantId, call.interactionId);
      await store.transaction(async (session) => {
        const before = await tenant.findTransaction(transactionId, session);
        if (before === undefined) throw new Refusal("TRANSACTION_NOT_FOUND", "no such transaction");
        const paid = markPaid(before, paymentId, paidAt, call.interactionId);
        if (paid === undefined) return true;
        const change = { ...paid, set: { ...paid.set, availableOn: promisedDay(before, timeZone) } };
        const events = ["RESERVATION_CONFIRMED"] as const;
        // Under a block nobody drives it on.
        const drive = change.stopped === undefined ? ({ at: clock.now() } as const) : "NONE";
        await steps.write(call.tenantId, before, { change, drive, events }, by, session);
        return true;
      }, isPaid);
      crashPoint("remittance.paid.marked");
      outbox.wake();
      return {};
    },
  } satisfies Partial<Handlers<RemittanceServiceDefinition>>;
}

function fundingFromWire(text: string): Funding {
  const funding = fundings.find((one) => one === (text || "WALLET"));
  if (funding === undefined) throw invalidInput("funding", `must be one of ${fundings.join(", ")}`);
  return funding;
}

function decisionOf(decide: () => Change | undefined): { change?: Change | undefined; refusal?: Refusal } {
  try {
    return { change: decide() };
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error };
    throw error;
  }
}
