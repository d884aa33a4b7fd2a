import { v7 as uuidv7 } from "uuid";
import {
  ProposeSettlementRequest,
  ProposeSettlementResponse,
  ReverseSettlementRequest,
  ReverseSettlementResponse,
  type SettlementServiceDefinition,
} from "../../../proto/gen/ledger/v1/settlements.js";
import { actorOf, type Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import { Refusal } from "../../kernel/refusal.js";
import { reasonFromWire } from "../../kernel/text/reason.js";
import {
  assertReversible,
  isInbound,
  openSettlementStatuses,
  type Settlement,
  type SettlementReversal,
} from "../domain/settlement.js";
import { isLine, lineOf } from "../domain/settlement-lines.js";
import { settledThrough } from "../sagas/open-lines.js";
import { cursorOf, positionOf, sequenceOf } from "../wire/cursor.js";
import { dayFrom, lineToWire, settlementFromWire, settlementToWire, statusesFromWire } from "../wire/settlements.js";
import { idFromWire } from "../wire/values.js";
import { pageSize, type LedgerDeps } from "./deps.js";
import { createSettlementDraft, type SettlementDraft } from "./settlement-draft.js";
import { createSettlementQuestions, forgetUnasked } from "./settlement-questions.js";

// Ten thousand transfers: where more are settled since, the next question goes on.
const markedPages = 10;

/** What the organisation and another side paid each other, as people propose it. */
export function settlementHandlers(deps: LedgerDeps) {
  const { store, settlements, runOnce, outbox, clock } = deps;
  const drafts = createSettlementDraft(deps);
  const questions = createSettlementQuestions(deps);

  /** Refuses NOT_FOUND. */
  async function known(settlementId: string, call: Call): Promise<Settlement> {
    const id = idFromWire(settlementId, "settlementId");
    const found = await settlements.forTenant(call.tenantId).find(id);
    if (found === undefined) throw new Refusal("NOT_FOUND", "no such settlement");
    return found;
  }

  return {
    async proposeSettlement(request, call) {
      const { lines, ...terms } = settlementFromWire(request);
      const { settlement } = await runOnce<ProposeSettlementRequest, ProposeSettlementResponse, SettlementDraft>({
        operation: "propose-settlement",
        request,
        requestType: ProposeSettlementRequest,
        response: ProposeSettlementResponse,
        call,
        prepare: () => drafts.check(terms, lines, call),
        async work(session, draft) {
          const stored = await drafts.keep(draft, call, session);
          return { settlement: settlementToWire(stored) };
        },
      });
      crashPoint("ledger.settlement.proposed");
      outbox.wake();
      return questions.askProposal(settlement!.settlementId, call);
    },

    async getSettlement({ settlementId }, call) {
      return { settlement: settlementToWire(await known(settlementId, call)) };
    },

    async listSettlements({ accountId, status, open, pageSize: size, cursor }, call) {
      const filter = { accountId, statuses: open ? openSettlementStatuses : statusesFromWire(status) };
      const scope = ["settlements", call.tenantId, filter];
      const limit = pageSize(size, "pageSize");
      const before = positionOf(scope, cursor);
      const found = await settlements.forTenant(call.tenantId).list(filter, before, limit + 1);
      const page = found.slice(0, limit);
      const nextCursor = found.length > limit ? cursorOf(scope, page.at(-1)!.settlementId) : "";
      return { settlements: page.map(settlementToWire), nextCursor };
    },

    async listSettlementLines({ settlementId, pageSize: size, cursor }, call) {
      const { amount } = await known(settlementId, call);
      const scope = ["settlement-lines", call.tenantId, settlementId];
      const limit = pageSize(size, "pageSize");
      const after = sequenceOf(scope, cursor) ?? 0n;
      const found = await settlements.forTenant(call.tenantId).linesAfter(settlementId, after, limit + 1);
      const page = found.slice(0, limit);
      return {
        lines: page.map((line) => lineToWire(line, amount.currency)),
        nextCursor: found.length > limit ? cursorOf(scope, String(page.at(-1)!.seq)) : "",
      };
    },

    async listOpenLines({ accountId, throughDate, pageSize: size, cursor }, call) {
      const id = idFromWire(accountId, "accountId");
      const through = throughDate === "" ? Infinity : dayFrom(throughDate, "throughDate");
      const scope = ["open-lines", call.tenantId, id, throughDate];
      const limit = pageSize(size, "pageSize");
      const tenant = store.forTenant(call.tenantId);
      const [account] = await tenant.findAccounts([id]);
      if (account === undefined) throw new Refusal("ACCOUNT_NOT_FOUND", `no account ${id}`);
      const after = sequenceOf(scope, cursor) ?? (await settledThrough(deps, call.tenantId, id, markedPages));
      const found = await tenant.findByAccount(id, { after, limit: limit + 1 });
      const page = found.slice(0, limit);
      const keys = page.map(({ key }) => key);
      const taken = await settlements.forTenant(call.tenantId).takenOf(id, keys);
      const side = isInbound(account.info) ? "DEBIT" : "CREDIT";
      const open = page
        .filter((transfer) => isLine(transfer) && !taken.has(transfer.key))
        .map((transfer) => lineOf(transfer, id, side))
        .filter(({ day }) => day <= through);
      return {
        lines: open.map((line) => lineToWire(line, account.info.currency)),
        nextCursor: found.length > limit ? cursorOf(scope, String(page.at(-1)!.seq)) : "",
      };
    },

    async reverseSettlement(request, call) {
      const settlementId = idFromWire(request.settlementId, "settlementId");
      const reason = reasonFromWire(request.reason);
      const asked = await runOnce<ReverseSettlementRequest, ReverseSettlementResponse>({
        operation: "reverse-settlement",
        request,
        requestType: ReverseSettlementRequest,
        response: ReverseSettlementResponse,
        call,
        async work(session) {
          const ofTenant = settlements.forTenant(call.tenantId);
          const before = await ofTenant.find(settlementId, session);
          if (before === undefined) throw new Refusal("NOT_FOUND", "no such settlement");
          const reversal: SettlementReversal = {
            reversalId: uuidv7(),
            status: "PROPOSED",
            reason,
            askedBy: actorOf(call),
            askedAt: clock.now(),
          };
          assertReversible(before);
          await ofTenant.moveReversal(settlementId, "NONE", reversal, session);
          await forgetUnasked(outbox, { settlementId, reversalId: reversal.reversalId }, call, session);
          return { settlement: settlementToWire({ ...before, reversal }) };
        },
      });
      crashPoint("ledger.settlement.reversal-proposed");
      return questions.askReversal(settlementId, asked.settlement?.reversal?.reversalId ?? "", call);
    },
  } satisfies Partial<Handlers<SettlementServiceDefinition>>;
}
