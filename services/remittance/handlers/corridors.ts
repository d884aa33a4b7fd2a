import { isDeepStrictEqual } from "node:util";
import type { RemittanceServiceDefinition } from "../../../proto/gen/remittance/v1/remittance.js";
import { actorOf, type Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { corridorKeyOf, type Corridor, type CorridorContent, type CorridorKey } from "../domain/corridor.js";
import { kindOfChange, nameOfCorridor, summaryOf, type CorridorInput } from "../domain/corridor-change.js";
import { differencesOf } from "../domain/corridor-differences.js";
import { corridorColumns, corridorFromLine, corridorsFromCsv, type CorridorLine } from "../csv/corridors.js";
import { faultsOf, type LineFault } from "../csv/table.js";
import type { RemittanceStore } from "../store/index.js";
import type { ChangeStamp } from "../store/versioned-store.js";
import { corridorFromWire, corridorToWire } from "../wire/corridors.js";
import { reasonFromWire } from "../../kernel/text/reason.js";
import { askForChange } from "./asked-changes.js";
import type { RemittanceDeps } from "./deps.js";

// Short transactions: a long one could be cut off by the server's limit on their life.
const corridorsPerTransaction = 200;

/** What became of some corridors that were put. */
interface Put {
  /** Version 1 of them are new ones. */
  written: Corridor[];
  unchanged: Corridor[];
  waiting: CorridorInput[];
  faults: LineFault[];
}

/** Makes of what holds what is asked to hold. Refuses INVALID_INPUT. */
interface RequestedChange {
  key: CorridorKey;
  line: number;
  make: (held: Corridor | undefined) => CorridorContent;
}

/**
 * Corridors: what is put again unchanged makes no version; limits and partners of those that are
 * there are changed by two persons, and so is all that an agent puts.
 */
export function corridorHandlers(deps: RemittanceDeps) {
  const { store, clock } = deps;
  const stampOf = (call: Call) => ({ changedAt: clock.now(), changedBy: actorOf(call) });

  return {
    async putCorridor(request, call) {
      const content = corridorFromWire(request);
      const reason = reasonFromWire(request.reason, "reason", { mayBeEmpty: true });
      const requested = { key: content, line: 0, make: () => content };
      const { written, unchanged, waiting, faults } = await putCorridors(store, [requested], stampOf(call), call);
      if (faults[0] !== undefined) throw new Error(`a corridor that was checked is faulty: ${faults[0].message}`);
      const [put] = [...written, ...unchanged];
      if (put !== undefined) return { corridor: corridorToWire(put) };
      const { approvalId, status } = await askFor(waiting, reason, deps, call);
      const held = await store.forTenant(call.tenantId).findCorridor(corridorKeyOf(content));
      // Nothing holds where it is to be a new one.
      const holds = held ?? { ...content, enabled: false, version: 0 };
      return { corridor: corridorToWire(holds), approvalId, approvalStatus: status };
    },

    async loadCorridors({ csv, dryRun, reason }, call) {
      const why = reasonFromWire(reason, "reason", { mayBeEmpty: true });
      const { lines, rows, faults } = await corridorsFromCsv(csv);
      const waiting: CorridorInput[] = [];
      const counts = { created: 0, changed: 0, unchanged: 0 };
      for (let from = 0; from < rows.length; from += corridorsPerTransaction) {
        call.signal.throwIfAborted();
        const part = rows.slice(from, from + corridorsPerTransaction).map(requestedByLine);
        const done = await putCorridors(store, part, stampOf(call), call, dryRun);
        const created = done.written.filter(({ version }) => version === 1).length;
        counts.created += created;
        counts.changed += done.written.length - created;
        counts.unchanged += done.unchanged.length;
        faults.push(...done.faults);
        waiting.push(...done.waiting);
      }
      faults.sort((a, b) => a.line - b.line);
      const report = { lines, ...counts, faults, waiting: waiting.length };
      if (dryRun || waiting.length === 0) return report;
      const { approvalId, status } = await askFor(waiting, why, deps, call);
      return { ...report, approvalId, approvalStatus: status };
    },

    async listCorridors(_request, call) {
      const corridors = await store.forTenant(call.tenantId).listCorridors();
      const { role = "MANAGER" } = call.user ?? {};
      const isStaff = role === "MANAGER" || role === "AGENT";
      return { corridors: corridors.filter(({ enabled }) => enabled || isStaff).map(corridorToWire) };
    },
  } satisfies Partial<Handlers<RemittanceServiceDefinition>>;
}

function requestedByLine({ line, row }: { line: number; row: CorridorLine }): RequestedChange {
  return { key: row, line, make: (held) => corridorFromLine(row, held && contentOf(held)) };
}

/** Puts what one person may put, in one transaction; the rest waits. */
function putCorridors(
  store: RemittanceStore,
  requested: readonly RequestedChange[],
  stamp: ChangeStamp,
  call: Call,
  isDryRun = false,
): Promise<Put> {
  const tenant = store.forTenant(call.tenantId);
  return store.transaction(
    async (session) => {
      const result: Put = { written: [], unchanged: [], waiting: [], faults: [] };
      const held = await tenant.findCorridors(
        requested.map(({ key }) => corridorKeyOf(key)),
        session,
      );
      const byName = new Map(held.map((corridor) => [nameOfCorridor(corridor), corridor]));
      for (const { key, line, make } of requested) {
        const before = byName.get(nameOfCorridor(key));
        try {
          sortIn(result, make(before), before, call);
        } catch (error) {
          result.faults.push(...faultsOfLine(error, line));
        }
      }
      const versions = result.written.map((corridor) => ({ ...corridor, ...stamp }));
      if (!isDryRun && versions.length > 0) await tenant.putCorridors(versions, session);
      return result;
    },
    // What is in says so by itself when it is put again.
    async () => undefined,
  );
}

function sortIn(result: Put, content: CorridorContent, before: Corridor | undefined, { user }: Call): void {
  if (before !== undefined && isDeepStrictEqual(contentOf(before), content)) {
    result.unchanged.push(before);
  } else if (user !== undefined && kindOfChange(before, content, user.role === "AGENT") !== undefined) {
    // The operator's credential changes limits and partners by itself.
    result.waiting.push({ content, basedOn: before?.version ?? 0 });
  } else {
    result.written.push({ ...content, version: (before?.version ?? 0) + 1 });
  }
}

function faultsOfLine(error: unknown, line: number): LineFault[] {
  return faultsOf(error, line, corridorColumns);
}

/** Asks for what waits. Refuses FORBIDDEN where its asker may not. */
async function askFor(
  corridors: readonly CorridorInput[],
  reason: string,
  deps: Pick<RemittanceDeps, "store" | "clock" | "approvals">,
  call: Call,
) {
  const tenant = deps.store.forTenant(call.tenantId);
  const question = async () => {
    const held = await tenant.findCorridors(corridors.map(({ content }) => corridorKeyOf(content)));
    const before = new Map(held.map((corridor) => [nameOfCorridor(corridor), corridor]));
    const kinds = corridors.map(({ content }) =>
      kindOfChange(before.get(nameOfCorridor(content)), content, call.user?.role === "AGENT"),
    );
    const kind = kinds.includes("LIMIT_CHANGE") ? "LIMIT_CHANGE" : kinds.find((one) => one !== undefined);
    return {
      kind: kind ?? ("PARTNER_CHANGE" as const),
      summary: summaryOf(corridors),
      reason: reason || "corridors",
      changes: differencesOf(corridors, before),
    };
  };
  const content = { corridors: [...corridors] };
  return askForChange(deps, { changes: tenant.corridorChanges, of: "corridor-change", content, question }, call);
}

function contentOf({ version: _version, ...content }: Corridor): CorridorContent {
  return content;
}
