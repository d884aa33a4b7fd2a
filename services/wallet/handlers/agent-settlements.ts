import { v7 as uuidv7 } from "uuid";
import * as wire from "../../../proto/gen/wallet/v1/agent_settlements.js";
import type { ClientSession } from "mongoose";
import { assertCurrency } from "../../kernel/codes/currencies.js";
import { actorOf, requireUser, type Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { invalidInput, passing, Refusal } from "../../kernel/refusal.js";
import { reasonFromWire } from "../../kernel/text/reason.js";
import { idFromWire } from "../../kernel/text/wire-text.js";
import { parseCalendarDay } from "../../kernel/time/calendar-day.js";
import { assertConfigured } from "../domain/agent.js";
import {
  assertFollows,
  assertMayDispute,
  assertStatus,
  settledKinds,
  type AgentSettlement,
  type MovedLine,
} from "../domain/agent-settlement.js";
import { rowKinds } from "../row-kinds.js";
import { agentSettlementRow } from "../sagas/agent-settlement.js";
import type { TenantStore } from "../store/index.js";
import { agentSettlementEventRow, agentSettlementToWire } from "../wire/agent-settlements.js";
import { ownAgent } from "./agent-requests.js";
import type { WalletDeps } from "./deps.js";

const maxDays = 366;
const maxMoved = 100;

/** What an agent and the organisation owe each other: its opening, its close, its disputes. */
export function agentSettlementHandlers(deps: WalletDeps) {
  const { store, runOnce, businessClock, outbox, clock, crashPoint } = deps;

  /** Refuses NOT_FOUND; FORBIDDEN for an AGENT who asks for another's. */
  async function known(wallet: TenantStore, named: string, call: Call, session: ClientSession) {
    const found = await wallet.findAgentSettlement(idFromWire(named, "settlementId"), session);
    if (found === undefined) throw new Refusal("NOT_FOUND", "no such settlement");
    ownAgent(found.agentId, call);
    return found;
  }

  async function moved(
    wallet: TenantStore,
    before: AgentSettlement,
    change: Partial<AgentSettlement>,
    session: ClientSession,
    gone?: readonly (keyof AgentSettlement)[],
  ): Promise<AgentSettlement> {
    const after = await wallet.moveAgentSettlement(before, change, session, gone);
    if (after === undefined) throw passing("STATE_CONFLICT", "it is changed right now");
    return after;
  }

  const todayOf = async (call: Call) =>
    (await businessClock.forTenant(call.tenantId, call.interactionId)).today().toString();

  const causeOf = (call: Call) => ({
    tenantId: call.tenantId,
    interactionId: call.interactionId,
    actor: actorOf(call),
  });

  return {
    async openAgentSettlement(request, call) {
      const agentId = idFromWire(request.agentId, "agentId");
      const { currency } = request;
      assertCurrency(currency, "currency");
      const from = parseCalendarDay(request.from, "from");
      const to = parseCalendarDay(request.to, "to");
      if (to <= from) throw invalidInput("to", "must be behind from: it is the first day that is not in it");
      if (Temporal.PlainDate.from(from).until(to).days > maxDays)
        throw invalidInput("to", `must be within ${maxDays} days`);
      const today = await todayOf(call);
      return runOnce<wire.OpenAgentSettlementRequest, wire.OpenAgentSettlementResponse>({
        operation: "wallet.v1.OpenAgentSettlement",
        request,
        requestType: wire.OpenAgentSettlementRequest,
        response: wire.OpenAgentSettlementResponse,
        call,
        work: async (session) => {
          const wallet = store.forTenant(call.tenantId);
          // Written as a sale writes it: of two openings at once the second sees the first.
          assertConfigured(await wallet.agentAtSale(agentId, session));
          const newest = await wallet.newestAgentSettlement({ agentId, currency }, session);
          // Which days are to be settled is known once their lines are open.
          if (!(await wallet.areLinesReleased({ agentId, currency }, session))) {
            throw passing("STATE_CONFLICT", "lines of one that was cancelled are given back at this moment");
          }
          const days = [
            await wallet.firstOpenDay({ agentId, currency }, session),
            (await wallet.firstUnbookedPickup({ agentId, currency }, session))?.businessDay,
            today,
          ];
          assertFollows(newest, days.filter((day) => day !== undefined).toSorted()[0]!, { from });
          const settlement: AgentSettlement = {
            settlementId: uuidv7(),
            number: (newest?.number ?? 0) + 1,
            agentId,
            currency,
            from,
            to,
            status: "OPEN",
            version: 1,
            openedBy: requireUser(call).userId,
            openedAt: clock.now(),
            taken: 0,
            told: 0,
          };
          await wallet.insertAgentSettlement(settlement, session);
          return { settlement: agentSettlementToWire(settlement) };
        },
      });
    },

    async cancelAgentSettlement(request, call) {
      const answer = await runOnce<wire.CancelAgentSettlementRequest, wire.CancelAgentSettlementResponse>({
        operation: "wallet.v1.CancelAgentSettlement",
        request,
        requestType: wire.CancelAgentSettlementRequest,
        response: wire.CancelAgentSettlementResponse,
        call,
        work: async (session) => {
          const wallet = store.forTenant(call.tenantId);
          const before = await known(wallet, request.settlementId, call, session);
          assertStatus(before, "OPEN", "CLOSING");
          const newest = await wallet.newestAgentSettlement(before, session);
          if (newest?.settlementId !== before.settlementId) {
            throw new Refusal("STATE_CONFLICT", "another settlement stands behind it");
          }
          await wallet.agentAtSale(before.agentId, session);
          const gone = ["number", "waitsFor", "counted"] as const;
          const isReleasing = before.status === "CLOSING";
          const change = { status: "CANCELLED", taken: 0, ...(isReleasing && { isReleasing }) } as const;
          const after = await moved(wallet, before, change, session, gone);
          // What it has taken by then is opened again behind the answer: it may be many lines.
          if (isReleasing) {
            await outbox.add(agentSettlementRow(causeOf(call), after, rowKinds.releaseAgentSettlement), session);
          }
          return { settlement: agentSettlementToWire(after) };
        },
      });
      outbox.wakeSoon();
      return answer;
    },

    async closeAgentSettlement(request, call) {
      const today = await todayOf(call);
      const answer = await runOnce<wire.CloseAgentSettlementRequest, wire.CloseAgentSettlementResponse>({
        operation: "wallet.v1.CloseAgentSettlement",
        request,
        requestType: wire.CloseAgentSettlementRequest,
        response: wire.CloseAgentSettlementResponse,
        call,
        work: async (session) => {
          const wallet = store.forTenant(call.tenantId);
          const before = await known(wallet, request.settlementId, call, session);
          assertStatus(before, "OPEN");
          if (before.to > today) throw passing("STATE_CONFLICT", `its days are not over before ${before.to}`);
          const { number = 1 } = before;
          const previous = number === 1 ? undefined : await wallet.agentSettlementOf(before, number - 1);
          if (number > 1 && previous?.statement === undefined) {
            throw passing("STATE_CONFLICT", "the settlement before it is not closed");
          }
          const after = await moved(wallet, before, { status: "CLOSING" }, session);
          await outbox.add(agentSettlementRow(causeOf(call), after, rowKinds.closeAgentSettlement), session);
          return { settlement: agentSettlementToWire(after) };
        },
      });
      crashPoint("wallet.agent-settlement.closing");
      outbox.wakeSoon();
      return answer;
    },

    async disputeAgentSettlement(request, call) {
      const reason = reasonFromWire(request.reason);
      const answer = await runOnce<wire.DisputeAgentSettlementRequest, wire.DisputeAgentSettlementResponse>({
        operation: "wallet.v1.DisputeAgentSettlement",
        request,
        requestType: wire.DisputeAgentSettlementRequest,
        response: wire.DisputeAgentSettlementResponse,
        call,
        work: async (session) => {
          const wallet = store.forTenant(call.tenantId);
          const before = await known(wallet, request.settlementId, call, session);
          assertStatus(before, "CLOSED", "APPROVED");
          const { userId: by } = requireUser(call);
          assertMayDispute(before, by);
          const dispute = { reason, by, at: clock.now() };
          const change = { status: "DISPUTED", dispute, told: before.told + 1 } as const;
          const after = await moved(wallet, before, change, session);
          const told = agentSettlementEventRow(causeOf(call), "agent_settlement.disputed", after, dispute.at);
          await outbox.add(told, session);
          return { settlement: agentSettlementToWire(after) };
        },
      });
      outbox.wakeSoon();
      return answer;
    },

    async endAgentSettlementDispute(request, call) {
      const endedBecause = reasonFromWire(request.reason);
      const lineIds = [...new Set(request.lineIds)];
      if (lineIds.length > maxMoved) throw invalidInput("lineIds", `must be at most ${maxMoved}`);
      return runOnce<wire.EndAgentSettlementDisputeRequest, wire.EndAgentSettlementDisputeResponse>({
        operation: "wallet.v1.EndAgentSettlementDispute",
        request,
        requestType: wire.EndAgentSettlementDisputeRequest,
        response: wire.EndAgentSettlementDisputeResponse,
        call,
        work: async (session) => {
          const wallet = store.forTenant(call.tenantId);
          const before = await known(wallet, request.settlementId, call, session);
          assertStatus(before, "DISPUTED");
          const lines = await linesToMove(wallet, before, lineIds, session);
          const endedBy = requireUser(call).userId;
          const dispute = { ...before.dispute!, endedBy, endedAt: clock.now(), endedBecause };
          // What is settled is another sum: it is approved anew.
          const isAsBefore = lines.length === 0 && before.approvedBy !== undefined;
          const goesOn = lines.length > 0 && {
            movedOn: [...(before.movedOn ?? []), ...lines],
            isMovedOpen: true as const,
          };
          const isAnswered = lines.length === 0 && before.dispute?.by === before.agentId;
          const change = {
            status: isAsBefore ? ("APPROVED" as const) : ("CLOSED" as const),
            dispute,
            ...goesOn,
            ...(isAnswered && { isAnswered }),
          };
          const gone = [
            ...(isAsBefore ? [] : (["approvedBy", "approvedAt"] as const)),
            ...(lines.length > 0 ? (["isAnswered"] as const) : []),
          ];
          return { settlement: agentSettlementToWire(await moved(wallet, before, change, session, gone)) };
        },
      });
    },
  } satisfies Partial<Handlers<wire.AgentSettlementServiceDefinition>>;
}

/** Refuses INVALID_INPUT for a line that the settlement does not settle. */
async function linesToMove(
  wallet: TenantStore,
  { settlementId, carried = [], movedOn = [] }: AgentSettlement,
  lineIds: readonly string[],
  session: ClientSession,
): Promise<MovedLine[]> {
  if (lineIds.length === 0) return [];
  const own = await wallet.settledLinesOf(settlementId, lineIds, session);
  const all = new Map([...own, ...carried].map((line) => [line.lineId, line]));
  return lineIds.map((lineId, at) => {
    const line = all.get(lineId);
    if (line === undefined || !settledKinds.has(line.kind) || movedOn.some((one) => one.lineId === lineId)) {
      throw invalidInput(`lineIds.${at}`, "is no line that it settles");
    }
    const { kind, account, amountMinor } = line;
    return { lineId, kind, account, amountMinor };
  });
}
