import type { StoredAnswer } from "../../kernel/idempotency/index.js";
import { Refusal } from "../../kernel/refusal.js";
import type { Compliance, Identity, Remittance } from "../clients/neighbours.js";
import type { Posting } from "../clients/posting.js";
import { accountsOfSale, isSold, type SoldPayment } from "../domain/counter-sale.js";
import { asAgentLimit } from "../domain/agent-balance.js";
import { heldAccount, heldBy, transferOfHeld, type NewlyHeld } from "../domain/held-arrival.js";
import type { Payment, PaymentPlan } from "../domain/payment.js";
import { transfersOfTransaction } from "../domain/transfers.js";
import { checkCash } from "./cash-check.js";
import { checkWithCompliance } from "./compliance-check.js";
import { claimTransaction } from "./payment-claim.js";
import { decideAtDesk, type DeskContext } from "./desk-decision.js";
import {
  failPayment,
  followUpsOfRefusal,
  succeedPayment,
  type DrivenPayment,
  type PaymentEndingDeps,
} from "./payment-ending.js";
import { aggregateOfPayment } from "./payment-identity.js";
import { rowKinds } from "../row-kinds.js";

export interface PaymentPostingDeps extends PaymentEndingDeps {
  posting: Posting;
  compliance: Pick<Compliance, "checkWalletPayment" | "checkCash">;
  remittance: Pick<Remittance, "claimTransaction" | "markTransactionPaid" | "getExchangeRate">;
  identity: Pick<Identity, "getOrganisationPreference">;
}

/** Claimed at remittance, which says its parts, then posted. */
export async function payTransaction(deps: PaymentPostingDeps, driven: DrivenPayment): Promise<StoredAnswer> {
  const { posting, outbox, crashPoint } = deps;
  const { tenantId, payment, context } = driven;
  const refused = isSold(payment) ? await checkSale(deps, tenantId, payment, context) : undefined;
  // It was never claimed; what compliance did not refuse itself it counts no more.
  if (refused !== undefined) return failPayment(deps, driven, refused, [freeing(payment)]);
  const due = await claimTransaction(deps, tenantId, payment, context);
  if (due instanceof Refusal) return failPayment(deps, driven, due, followUpsOfFailure(payment, due));
  crashPoint("wallet.payment.claimed");
  if (isSold(payment)) await posting.ensureAccounts(tenantId, payment, accountsOfSale(payment), context);
  const posted = await posting.post(tenantId, payment, transfersOfTransaction(payment, due), context);
  if (!(posted instanceof Refusal)) return succeedPayment(deps, driven, posted, []);
  const refusal = payment.sale?.lineMinor === undefined ? posted : asAgentLimit(posted);
  const answer = await failPayment(deps, driven, refusal, followUpsOfFailure(payment, refusal));
  // The claim is given back before anybody is answered; the relay that drives this aggregate goes
  // on to the row by itself.
  if (context.closeRecovery === undefined) {
    await outbox.runNow(tenantId, aggregateOfPayment(payment.paymentId));
    crashPoint("wallet.payment.released");
  }
  return answer;
}

/** Compliance counts what is taken before it is claimed, once, while somebody waits for it. */
function checkSale(
  deps: PaymentPostingDeps,
  tenantId: string,
  { paymentId: cashId, customerId, total: amount, interactionId }: SoldPayment,
  context: DeskContext,
): Promise<Refusal | undefined> {
  const cash = { cashId, customerId, kind: "CASH_SALE" as const, amount };
  return decideAtDesk(
    (decision) => deps.store.forTenant(tenantId).decidePayment(cashId, decision),
    () => checkCash(deps, { tenantId, interactionId }, cash, context),
    context,
  );
}

const freeing = ({ paymentId }: Payment) => ({ kind: rowKinds.freeLimit, payload: { paymentId } });

/** Of a sale compliance counts no more, either. */
function followUpsOfFailure(payment: Payment, refusal: Refusal) {
  const told = followUpsOfRefusal(payment, refusal);
  return isSold(payment) ? [...told, freeing(payment)] : told;
}

/**
 * Checked by compliance, which takes its part of the day's limit there, then posted as it was
 * planned.
 */
export async function payPlanned(
  deps: PaymentPostingDeps,
  driven: DrivenPayment,
  plan: PaymentPlan,
): Promise<StoredAnswer> {
  const { posting, crashPoint } = deps;
  const { tenantId, payment, context } = driven;
  const { paymentId, customerId, total, interactionId, payableType } = payment;
  const kind = payableType === "WITHDRAWAL" ? ("MOVE_KIND_WITHDRAWAL" as const) : ("MOVE_KIND_PAYMENT" as const);
  const { payeeCustomerId, transfers, ownAccounts } = plan;
  const check = { paymentId, customerId, payeeCustomerId, amount: total, atOnce: true, kind };
  const checked = await checkWithCompliance(deps.compliance, { tenantId, interactionId }, check, context);
  if (checked instanceof Refusal) return failPayment(deps, driven, checked, []);
  crashPoint("wallet.payment.checked");
  const held = checked.isHeldForPayee ? heldForPayee(plan) : [];
  const heldIn = held.length > 0 ? [heldAccount(total.currency)] : [];
  await posting.ensureAccounts(tenantId, payment, [...ownAccounts, ...heldIn], context);
  const posted = await posting.post(tenantId, payment, [...transfers, ...held.map(transferOfHeld)], context);
  if (!(posted instanceof Refusal)) return succeedPayment(deps, driven, posted, held);
  return failPayment(deps, driven, posted, [freeing(payment)]);
}

/** What the payee's wallet gets of it. */
function heldForPayee({ transfers, payeeCustomerId: customerId }: PaymentPlan): NewlyHeld[] {
  return transfers
    .filter(({ kind }) => kind === "wallet_transfer")
    .map((leg) => heldBy(leg, { accountId: leg.creditAccountId, customerId }, "PAYMENT_RECEIVED"));
}
