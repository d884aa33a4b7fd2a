import type { AgentSettlementServiceDefinition } from "../../../proto/gen/wallet/v1/agent_settlements.js";
import { requireUser } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { invalidInput } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import type { AgentLine, AgentLinePlace } from "../domain/agent-line.js";
import { assertClosed } from "../domain/agent-settlement.js";
import { statementHead, statementLine, statementTail } from "../domain/agent-statement.js";
import { agentLineToWire, agentSettlementStatusFromWire, agentSettlementToWire } from "../wire/agent-settlements.js";
import { ownAgent, pageSizeOf, settlementFor } from "./agent-requests.js";
import type { WalletDeps } from "./deps.js";

const statementPage = 1_000;

/** Settlements of agents as they are read. */
export function agentSettlementReadHandlers(deps: Pick<WalletDeps, "store">) {
  const { store } = deps;
  return {
    async getAgentSettlement(request, call) {
      return { settlement: agentSettlementToWire(await settlementFor(deps, request.settlementId, call)) };
    },

    async listAgentSettlements(request, call) {
      const size = pageSizeOf(request);
      const { role, userId } = requireUser(call);
      const named = textFromWire(request.agentId, "agentId", { minimum: 0 });
      const agentId = role === "AGENT" ? ownAgent(named || userId, call) : named;
      const { currency } = request;
      const status = agentSettlementStatusFromWire(request.status);
      const fit = {
        ...(agentId !== "" && { agentId }),
        ...(currency !== "" && { currency }),
        ...(status !== undefined && { status }),
      };
      const found = await store.forTenant(call.tenantId).listAgentSettlements(fit, request.cursor, size + 1);
      const settlements = found.slice(0, size);
      const nextCursor = found.length > size ? (settlements.at(-1)?.settlementId ?? "") : "";
      return { settlements: settlements.map(agentSettlementToWire), nextCursor };
    },

    async listAgentSettlementLines(request, call) {
      const { settlementId } = await settlementFor(deps, request.settlementId, call);
      const { cursor } = request;
      const size = request.pageSize || 20;
      if (size < 1 || size > statementPage) throw invalidInput("pageSize", `must be 1 to ${statementPage}`);
      const wallet = store.forTenant(call.tenantId);
      const found = await wallet.settledLines(settlementId, placeFrom(cursor), size + 1);
      const lines = found.slice(0, size);
      return { lines: lines.map(agentLineToWire), nextCursor: found.length > size ? placeText(lines.at(-1)!) : "" };
    },

    async readAgentStatement(request, call) {
      const settlement = assertClosed(await settlementFor(deps, request.settlementId, call));
      const { settlementId, statement } = settlement;
      const wallet = store.forTenant(call.tenantId);
      const found = await wallet.settledLines(settlementId, placeFrom(request.cursor), statementPage + 1);
      const lines = found.slice(0, statementPage);
      const isLast = found.length <= statementPage;
      const text = [
        ...(request.cursor === "" ? [statementHead(settlement, statement.opening)] : []),
        ...lines.map(statementLine),
        ...(isLast ? [statementTail(settlement)] : []),
      ].join("");
      return { text, nextCursor: isLast ? "" : placeText(lines.at(-1)!) };
    },
  } satisfies Partial<Handlers<AgentSettlementServiceDefinition>>;
}

const placeText = ({ at, lineId }: AgentLine): string => `${at.getTime()} ${lineId}`;

/** Refuses INVALID_INPUT. */
function placeFrom(cursor: string): AgentLinePlace | undefined {
  if (cursor === "") return undefined;
  const [, ms, lineId] = /^(\d{1,15}) (.{1,255})$/.exec(cursor) ?? [];
  if (ms === undefined || lineId === undefined) throw invalidInput("cursor", "is none of this list");
  return { at: new Date(Number(ms)), lineId };
}
