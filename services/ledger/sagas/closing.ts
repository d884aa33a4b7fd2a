import type { ClientSession } from "mongoose";
import type { CloseBlocker as WireBlocker } from "../../../proto/gen/operations/v1/closing.js";
import { actorOf, type Call } from "../../kernel/grpc/context.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import type { Clock } from "../../kernel/time/clock.js";
import { invalidInput, passing, Refusal } from "../../kernel/refusal.js";
import { blockersOf, blockerToWire, closingEnd } from "../../platform/closing/close-blockers.js";
import type { BusinessClock } from "../../platform/preferences/business-clock.js";
import { chartCodes } from "../domain/chart.js";
import { missingCodes } from "../domain/closing.js";
import { dayText, parseDay, type Day } from "../domain/days.js";
import { assertClosable, type Period } from "../domain/periods.js";
import { yearEnds } from "../domain/year-end.js";
import type { Outbox } from "../../kernel/outbox/index.js";
import { rowKinds } from "../row-kinds.js";
import { countLedgerBlockers } from "../store/close-blockers.js";
import { resultsAt } from "../store/results.js";
import type { PackageStore } from "../store/packages.js";
import type { PeriodStore } from "../store/periods.js";
import { closingToWire } from "../wire/periods.js";
import { createPositions, type PositionDeps } from "./positions.js";
import { createYearEnd, type YearEndDeps } from "./year-end.js";

interface ClosingDeps extends YearEndDeps, PositionDeps {
  readonly periods: PeriodStore;
  readonly packages: PackageStore;
  readonly outbox: Pick<Outbox, "add" | "countParked">;
  readonly businessClock: BusinessClock;
  readonly clock: Clock;
}

const allCodes = chartCodes().map(({ code }) => code);

/** How a period is closed: what has to be so before, and the one transaction that does it. */
export function createClosingOfBooks(deps: ClosingDeps) {
  const { db, store, periods, packages, outbox, businessClock, clock } = deps;
  const countOwn = countLedgerBlockers(db);
  const moveResult = createYearEnd(deps);
  const positions = createPositions(deps);

  return {
    /**
     * Gives the first day that may be open. Refuses INVALID_INPUT for a period that is not over,
     * STATE_CONFLICT, PERIOD_BLOCKED; moves the result of years that end in it.
     */
    async prepare(period: Period, elsewhere: readonly WireBlocker[], call: Call): Promise<Day> {
      const { tenantId, interactionId, deadline } = call;
      const time = await businessClock.forTenant(tenantId, interactionId);
      if (period.last >= parseDay(time.today().toString())!) throw invalidInput("period", "must be over");
      const closed = await periods.forTenant(tenantId).closedSoFar([period.name]);
      assertClosable(period, closed);
      // What exchanges of its days won is posted to them first.
      await positions.all(call);
      const own = await blockersOf(outbox, countOwn, call, closingEnd(dayText(period.last)));
      refuseBlocked(period, [...elsewhere, ...own.map((each) => ({ ...blockerToWire(each), service: "ledger" }))]);
      const openFrom =
        closed.closedThrough === undefined
          ? ((await store.forTenant(tenantId).firstDay()) ?? period.last)
          : closed.closedThrough + 1;
      for (const day of yearEnds(openFrom, period.last)) {
        await moveResult(day, { tenantId, interactionId, deadline, createdBy: actorOf(call), time });
      }
      crashPoint("ledger.closing.prepared");
      return openFrom;
    },

    /** Closes it. Refuses STATE_CONFLICT, CHART_MAPPING_INCOMPLETE. */
    async work(period: Period, openFrom: Day, call: Call, session: ClientSession) {
      const { tenantId, interactionId } = call;
      await periods.forTenant(tenantId).holdJournal(session);
      const mapping = (await packages.forTenant(tenantId).findMapping(undefined, session))!;
      const actor = actorOf(call);
      const by = { closedBy: actor, closedAt: clock.now(), mappingVersion: mapping.version };
      const { closing, before } = await periods.forTenant(tenantId).close(period, by, session);
      const missing = await store.forTenant(tenantId).usedOf(missingCodes(mapping, allCodes), session);
      if (missing.length > 0) throw mappingIncomplete(missing);
      for (const day of yearEnds(before === undefined ? openFrom : before + 1, period.last)) {
        const left = await resultsAt(db, tenantId, day, session);
        if (left.length > 0) throw passing("STATE_CONFLICT", `more was posted to ${dayText(day)} meanwhile: try again`);
      }
      const payload = { number: closing.number };
      const aggregate = `packages:${tenantId}`;
      const row = {
        tenantId,
        aggregate,
        seq: closing.number,
        kind: rowKinds.buildPackage,
        payload,
        interactionId,
        actor,
      };
      await outbox.add(row, session);
      crashPoint("ledger.closing.written");
      return { closing: closingToWire(closing) };
    },
  };
}

/** Refuses PERIOD_BLOCKED with one fault for each blocker, named by its service and kind. */
function refuseBlocked({ name }: Period, blockers: readonly WirePartial<WireBlocker>[]): void {
  if (blockers.length === 0) return;
  const errors = blockers.map(({ service = "", kind = "", count = 0, isAtLeast = false, oldestAt }) => {
    const since = oldestAt === undefined ? "" : ` since ${oldestAt.toISOString()}`;
    return { path: `${service}.${kind}`, message: `${count}${isAtLeast ? " and more" : ""}${since}` };
  });
  const named = errors.map(({ path, message }) => `${path} (${message})`).join(", ");
  throw new Refusal("PERIOD_BLOCKED", `${name} cannot be closed yet: ${named}`.slice(0, 1_000), { errors });
}

/** By name: the package would have entries of no account of theirs. */
export function mappingIncomplete(codes: readonly string[]): Refusal {
  const errors = codes.map((code) => ({ path: `codes.${code}`, message: "is an account of no own one" }));
  return new Refusal("CHART_MAPPING_INCOMPLETE", `the chart's mapping lacks ${codes.join(", ")}`, { errors });
}
