import { readerOf } from "../../platform/events/shapes/codec.js";
import { StoredPayment } from "../../platform/events/shapes/payment-shape.js";
import { eventRow } from "../../platform/events/row.js";
import type { NewRow } from "../../kernel/outbox/index.js";
import { formatMoney } from "../../kernel/money.js";
import type { WalletAccount } from "../domain/account.js";
import type { AgentConfiguration } from "../domain/agent.js";
import { creditLineMinorOf, type AgentBalance } from "../domain/agent-balance.js";
import type { Payment } from "../domain/payment.js";
import { shownState } from "./accounts.js";
import { paymentToWire } from "./payments.js";

const storedPaymentOf = readerOf(StoredPayment);

export type Cause = Pick<NewRow, "tenantId" | "interactionId" | "actor">;

/**
 * The row that tells how a payment ended, or that a part of it came back; `payment` as it is then.
 */
export function paymentEventRow(
  cause: Cause,
  type: "payment.succeeded" | "payment.failed" | "payment.refunded",
  payment: Payment,
  at: Date,
): NewRow {
  const { paymentId: subjectId, told: version = 1, customerId } = payment;
  const data = storedPaymentOf(paymentToWire(payment));
  return eventRow(cause, { type, subjectId, version, at, customerId, data });
}

/**
 * The row that tells that an account was frozen, as its owner is shown it: by whom and why is in
 * nobody's event.
 */
export function freezeEventRow(cause: Cause, account: WalletAccount, at: Date): NewRow {
  const { accountId: subjectId, accountNumber, currency, customerId, changes = [] } = account;
  const data = { accountId: subjectId, accountNumber, currency, status: shownState(account.status) };
  return eventRow(cause, { type: "wallet.frozen", subjectId, version: changes.length, at, customerId, data });
}

/** The row that tells that little is left of what an agent may use, as it was before this one. */
export function floatEventRow(
  cause: Cause,
  { agentId, currency, bookedMinor, told = 0 }: AgentBalance,
  agent: AgentConfiguration | undefined,
  at: Date,
): NewRow {
  const text = (minor: bigint) => formatMoney({ minor, currency });
  const lineMinor = creditLineMinorOf(agent, currency);
  const data = {
    agentId,
    currency,
    balance: text(bookedMinor),
    creditLine: text(lineMinor),
    available: text(bookedMinor + lineMinor),
    alarmShare: agent?.terms.find((terms) => terms.currency === currency)?.alarmShare ?? 0,
  };
  const subjectId = `${agentId}:${currency}`;
  return eventRow(cause, { type: "agent.float_low", subjectId, version: Number(told) + 1, at, data });
}
