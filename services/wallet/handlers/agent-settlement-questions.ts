import type { AgentSettlementServiceDefinition } from "../../../proto/gen/wallet/v1/agent_settlements.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { formatMoney, parseMoney } from "../../kernel/money.js";
import { invalidInput } from "../../kernel/refusal.js";
import { reasonFromWire } from "../../kernel/text/reason.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { assertStatus, duesOf, owesMinor } from "../domain/agent-settlement.js";
import { owesText } from "../wire/agent-settlements.js";
import { statusChange } from "./agent-outcomes.js";
import { settlementFor } from "./agent-requests.js";
import type { AskedOfSettlement } from "./agent-settlement-outcome.js";
import type { WalletDeps } from "./deps.js";
import { namedBank } from "./named-bank.js";
import { approvalKeyOf } from "../../platform/approvals/request-id.js";

/** What a second manager is asked of settlements of agents. */
export function agentSettlementQuestionHandlers(deps: WalletDeps) {
  const { approvals } = deps;
  return {
    async approveAgentSettlement(request, call) {
      const key = textFromWire(request.idempotencyKey, "idempotencyKey", { maximum: 255 });
      const reason = reasonFromWire(request.reason);
      const settlement = await settlementFor(deps, request.settlementId, call);
      assertStatus(settlement, "CLOSED");
      const { settlementId, version, agentId, from, to } = settlement;
      const approval = await approvals.ask(call, {
        idempotencyKey: approvalKeyOf("agent-settlement-approval", key, call),
        kind: "SETTLEMENT",
        subject: `agent-settlement:${settlementId}`,
        concernedUserId: agentId,
        summary: `Settlement of the agent ${agentId} from ${from} to ${to}: ${owesText(settlement)}`,
        reason,
        payload: { settlementId, version } satisfies AskedOfSettlement,
        changes: [statusChange("CLOSED", "APPROVED")],
      });
      return { approvalId: approval.approvalId, approvalStatus: approval.status };
    },

    async payAgentSettlement(request, call) {
      const key = textFromWire(request.idempotencyKey, "idempotencyKey", { maximum: 255 });
      const reason = reasonFromWire(request.reason);
      const reference = textFromWire(request.reference, "reference");
      const settlement = await settlementFor(deps, request.settlementId, call);
      assertStatus(settlement, "APPROVED");
      const { settlementId, version, agentId, currency } = settlement;
      const { minor } = parseMoney(request.bankAmount, currency, "bankAmount");
      const owes = owesMinor(duesOf(settlement));
      const most = owes < 0n ? -owes : owes;
      if (minor < 0n || minor > most) {
        throw invalidInput("bankAmount", `must be 0 to ${formatMoney({ minor: most, currency })}, which is owed`);
      }
      const bank = textFromWire(request.bank, "bank", { minimum: 0 });
      const at = await namedBank(deps.banks, bank, call);
      const way = owes < 0n ? "out of" : "into";
      const text = `${formatMoney({ minor, currency })} ${currency} ${way} the bank`;
      const approval = await approvals.ask(call, {
        idempotencyKey: approvalKeyOf("agent-settlement-payment", key, call),
        kind: "SETTLEMENT",
        subject: `agent-settlement:${settlementId}`,
        concernedUserId: agentId,
        summary: `Settlement of the agent ${agentId}, ${owesText(settlement)}: ${text}, reference ${reference}`.slice(
          0,
          300,
        ),
        reason,
        payload: {
          settlementId,
          version,
          payment: {
            bankMinor: String(owes < 0n ? -minor : minor),
            reference,
            ...(at !== undefined && { at }),
          },
        } satisfies AskedOfSettlement,
        changes: [statusChange("APPROVED", "PAID")],
      });
      return { approvalId: approval.approvalId, approvalStatus: approval.status };
    },
  } satisfies Partial<Handlers<AgentSettlementServiceDefinition>>;
}
