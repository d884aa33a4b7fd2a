import {
  CloseBooksRequest,
  CloseBooksResponse,
  type PeriodServiceDefinition,
} from "../../../proto/gen/ledger/v1/periods.js";
import type { Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { Refusal } from "../../kernel/refusal.js";
import { approvalKeyOf } from "../../platform/approvals/request-id.js";
import { reasonFromWire } from "../../kernel/text/reason.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { dayText, parseDay, type Day } from "../domain/days.js";
import { closablePeriods, periodsOf } from "../domain/periods.js";
import { createClosingOfBooks } from "../sagas/closing.js";
import { cursorOf, positionOf } from "../wire/cursor.js";
import { closingToWire, periodFromWire } from "../wire/periods.js";
import { pageSize, type LedgerDeps } from "./deps.js";

/** Periods that people close and open again. */
export function periodHandlers(deps: LedgerDeps) {
  const { store, periods, businessClock, approvals, runOnce, outbox } = deps;
  const close = createClosingOfBooks(deps);

  return {
    async readPeriods(_request, call) {
      const { closedThrough } = await periods.forTenant(call.tenantId).closedSoFar([]);
      const today = await todayOf(businessClock, call);
      const next =
        closedThrough === undefined ? ((await store.forTenant(call.tenantId).firstDay()) ?? today) : closedThrough + 1;
      const named = [next, closedThrough ?? next].flatMap(periodsOf).map(({ name }) => name);
      const closed = await periods.forTenant(call.tenantId).closedSoFar(named);
      return {
        closedThrough: closedThrough === undefined ? "" : dayText(closedThrough),
        today: dayText(today),
        closable: closablePeriods(next, today, closed).map(({ name }) => name),
      };
    },

    async closeBooks(request, call) {
      const period = periodFromWire(request.period);
      return runOnce({
        operation: "close-books",
        request,
        requestType: CloseBooksRequest,
        response: CloseBooksResponse,
        call,
        // What stands in the way is of the moment; the gateway asks for it at each try.
        omit: ["blockers"],
        prepare: () => close.prepare(period, request.blockers, call),
        work: (session, openFrom) => close.work(period, openFrom, call, session),
        after: async () => outbox.wake(),
      });
    },

    async askReopening({ idempotencyKey, period: name, reason: given }, call) {
      const key = textFromWire(idempotencyKey, "idempotencyKey", { maximum: 255 });
      const { first } = periodFromWire(name);
      const reason = reasonFromWire(given);
      const { closedThrough } = await periods.forTenant(call.tenantId).closedSoFar([]);
      if (closedThrough === undefined || closedThrough < first) {
        throw new Refusal("STATE_CONFLICT", `${dayText(first)} is not closed`);
      }
      const { approvalId, status } = await approvals.ask(call, {
        idempotencyKey: approvalKeyOf("reopening", key, call),
        kind: "PERIOD_REOPENING",
        subject: `period:${name}`,
        summary: `Open the books again from ${dayText(first)} to ${dayText(closedThrough)}`,
        reason,
        payload: { fromDate: dayText(first) },
      });
      return { approvalId, approvalStatus: status, fromDate: dayText(first) };
    },

    async listClosings({ pageSize: requested, cursor }, call) {
      const scope = ["closings", call.tenantId];
      const limit = pageSize(requested, "page_size", 20, 100);
      const below = positionOf(scope, cursor);
      const found = await periods.forTenant(call.tenantId).list(below === undefined ? below : Number(below), limit + 1);
      const page = found.slice(0, limit);
      const nextCursor = found.length > limit ? cursorOf(scope, String(page.at(-1)!.number)) : "";
      return { closings: page.map(closingToWire), nextCursor };
    },

    async getClosing({ number }, call) {
      const found = await periods.forTenant(call.tenantId).find(number);
      if (found === undefined) throw new Refusal("NOT_FOUND", `no closing ${number}`);
      return { closing: closingToWire(found) };
    },
  } satisfies Partial<Handlers<PeriodServiceDefinition>>;
}

async function todayOf(businessClock: LedgerDeps["businessClock"], call: Call): Promise<Day> {
  const time = await businessClock.forTenant(call.tenantId, call.interactionId);
  return parseDay(time.today().toString())!;
}
