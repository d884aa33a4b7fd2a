import * as wire from "../../../proto/gen/wallet/v1/agent_settlements.js";
import { formatMoney } from "../../kernel/money.js";
import type { NewRow } from "../../kernel/outbox/index.js";
import { invalidInput } from "../../kernel/refusal.js";
import { eventRow } from "../../platform/events/row.js";
import { AgentSettlement as AgentSettlementShape } from "../../platform/events/shapes/agent-settlement-shape.js";
import { readerOf } from "../../platform/events/shapes/codec.js";
import type { AgentLine } from "../domain/agent-line.js";
import {
  agentSettlementStatuses,
  duesOf,
  owesMinor,
  type AgentBalances,
  type AgentDues,
  type AgentSettlement,
  type AgentSettlementStatus,
  type AgentStatement,
} from "../domain/agent-settlement.js";
import type { Cause } from "./event-rows.js";

const balancesToWire = ({ ACCOUNT, UNSETTLED, COMMISSION }: AgentBalances): wire.AgentBalances => ({
  accountMinor: ACCOUNT,
  unsettledMinor: UNSETTLED,
  commissionMinor: COMMISSION,
});

const duesToWire = (dues: AgentDues): wire.AgentDues => ({ ...dues, owesMinor: owesMinor(dues) });

const statementToWire = ({
  opening,
  closing,
  dues,
  credited: _credited,
  ...rest
}: AgentStatement): wire.AgentStatement => ({
  ...rest,
  opening: balancesToWire(opening),
  closing: balancesToWire(closing),
  dues: duesToWire(dues),
});

export function agentSettlementToWire(settlement: AgentSettlement): wire.AgentSettlement {
  const { number = 0, statement, carried = [], movedOn = [], payment, dispute, approvedBy = "" } = settlement;
  const { settlementId, agentId, currency, from, to, status, version, openedBy, openedAt, approvedAt } = settlement;
  return {
    settlementId,
    number,
    agentId,
    currency,
    from,
    to,
    status,
    version,
    openedBy,
    openedAt,
    statement: statement && statementToWire(statement),
    dues: statement && duesToWire(duesOf(settlement)),
    carried: [...carried],
    movedOn: [...movedOn],
    approvedBy,
    approvedAt,
    payment: payment && { ...payment, paidAt: payment.paidAt, failure: payment.failure ?? "" },
    dispute: dispute && {
      ...dispute,
      endedAt: dispute.endedAt,
      endedBy: dispute.endedBy ?? "",
      endedBecause: dispute.endedBecause ?? "",
    },
    waitsFor: settlement.waitsFor ?? "",
  };
}

export function agentLineToWire({ transactionId = "", transactionCode = "", ...line }: AgentLine): wire.AgentLine {
  return { ...line, transactionId, transactionCode };
}

/** Refuses INVALID_INPUT; undefined where none is named. */
export function agentSettlementStatusFromWire(status: string): AgentSettlementStatus | undefined {
  if (status === "") return undefined;
  if (agentSettlementStatuses.includes(status as AgentSettlementStatus)) return status as AgentSettlementStatus;
  throw invalidInput("status", `must be one of ${agentSettlementStatuses.join(", ")}`);
}

const shownOf = readerOf(AgentSettlementShape);

type Told =
  "agent_settlement.closed" | "agent_settlement.approved" | "agent_settlement.disputed" | "agent_settlement.paid";

/** Tells what became of it; it has counted this event already. */
export function agentSettlementEventRow(
  { tenantId, interactionId, actor }: Cause,
  type: Told,
  settlement: AgentSettlement,
  at: Date,
): NewRow {
  const data = shownOf(wire.AgentSettlement.fromPartial(agentSettlementToWire(settlement) as never));
  const { settlementId: subjectId, told: version } = settlement;
  return eventRow({ tenantId, interactionId, actor }, { type, subjectId, version, at, data });
}

/** Decimal text of what it owes, and who does. */
export function owesText(settlement: AgentSettlement): string {
  const { currency } = settlement;
  const owes = owesMinor(duesOf(settlement));
  const text = (minor: bigint) => `${formatMoney({ minor, currency })} ${currency}`;
  return owes < 0n ? `${text(-owes)} owed to the agent` : `${text(owes)} owed by the agent`;
}
