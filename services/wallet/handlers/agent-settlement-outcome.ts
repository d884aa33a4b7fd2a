import { v7 as uuidv7 } from "uuid";
import type { Outbox } from "../../kernel/outbox/index.js";
import { setEffects } from "../../platform/approvals/approval-effects.js";
import type { OutcomeHandler } from "../../platform/approvals/approval-outcomes.js";
import type { OwnPartner } from "../../platform/banks/own-partner.js";
import { transfersOfAgentPayment } from "../domain/agent-payment.js";
import type { AgentPayment } from "../domain/agent-settlement.js";
import { rowKinds } from "../row-kinds.js";
import { agentSettlementRow } from "../sagas/agent-settlement.js";
import type { WalletStore } from "../store/index.js";
import { agentSettlementEventRow } from "../wire/agent-settlements.js";
import { statusChange } from "./agent-outcomes.js";

export interface AskedOfSettlement {
  readonly settlementId: string;
  /** What it was asked about: of another version nothing comes. */
  readonly version: number;
  /** Of what is to be booked; absent where it is approved as it was closed. */
  readonly payment?: { readonly bankMinor: string; readonly reference: string; readonly at?: OwnPartner };
}

/**
 * A second manager has approved it, or its payment, which a row books; nothing where it has changed
 * since it was asked about.
 */
export function agentSettlementOutcome(store: WalletStore, outbox: Pick<Outbox, "add">): OutcomeHandler {
  return async (outcome, session, call, effects) => {
    const { status, subject, askedBy, decidedBy, decidedAt } = outcome;
    if (status !== "APPROVED") return;
    const { settlementId, version, payment } = outcome.payload as unknown as AskedOfSettlement;
    const wallet = store.forTenant(call.tenantId);
    const held = await wallet.findAgentSettlement(settlementId, session);
    const from = payment === undefined ? "CLOSED" : "APPROVED";
    if (held?.status !== from || held.version !== version) {
      return effects.add({ kind: "NOTHING_DONE", subject });
    }
    const cause = { tenantId: call.tenantId, interactionId: call.interactionId, actor: decidedBy };
    if (payment === undefined) {
      const approved = { approvedBy: decidedBy, approvedAt: decidedAt, told: held.told + 1 };
      const after = await wallet.moveAgentSettlement(held, { status: "APPROVED", ...approved }, session);
      await outbox.add(agentSettlementEventRow(cause, "agent_settlement.approved", after!, decidedAt), session);
      return effects.add(...setEffects("SETTING_SET", subject, [statusChange("CLOSED", "APPROVED")]));
    }
    const paying: AgentPayment = {
      ...payment,
      bankMinor: BigInt(payment.bankMinor),
      paymentId: uuidv7(),
      askedBy,
      approvedBy: decidedBy,
    };
    for (const { debitAccountId, creditAccountId, amount } of transfersOfAgentPayment({ ...held, payment: paying })
      .transfers) {
      effects.add(
        { kind: "ACCOUNT_DEBITED", subject: `account:${debitAccountId}`, amount },
        { kind: "ACCOUNT_CREDITED", subject: `account:${creditAccountId}`, amount },
      );
    }
    effects.add(...setEffects("SETTING_SET", subject, [statusChange("APPROVED", "PAYING")]));
    const after = await wallet.moveAgentSettlement(held, { status: "PAYING", payment: paying }, session);
    await outbox.add(agentSettlementRow(cause, after!, rowKinds.payAgentSettlement), session);
  };
}
