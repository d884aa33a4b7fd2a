import { OutboxServiceDefinition, type OutboxRow as WireRow } from "../../../proto/gen/operations/v1/outbox.js";
import type { WirePartial } from "../grpc/definition.js";
import { alsoServe, type AnyServedService, type RpcAccess } from "../grpc/server.js";
import { invalidInput } from "../refusal.js";
import { trimmedFromWire } from "../text/wire-text.js";
import type { Outbox } from "./outbox.js";
import type { RowState, RowView } from "./row.js";

// The tenant is named in the request: an operator looks at all of them.
const operators: RpcAccess = { callers: ["operator"], tenant: "none" };
const states: readonly RowState[] = ["DUE", "PARKED", "DONE", "CANCELLED", "DROPPED"];
const maxRows = 500;

/** What operators do with a service's outbox, to be served beside the service itself. */
export function serveOutbox(outbox: Pick<Outbox, "list" | "show" | "retry" | "drop">): AnyServedService {
  return alsoServe<OutboxServiceDefinition>({
    definition: OutboxServiceDefinition,
    access: { listRows: operators, showRow: operators, retryRow: operators, dropRow: operators },
    handlers: {
      async listRows({ tenantId, state, limit, after }) {
        const rows = await outbox.list({
          state: stateFromWire(state),
          limit: limitFromWire(limit),
          ...(tenantId !== "" && { tenantId }),
          ...(after !== "" && { after }),
        });
        return { rows: rows.map((row) => rowToWire(row)) };
      },
      async showRow({ tenantId, rowId }) {
        const row = await outbox.show(textFromWire(tenantId, "tenantId"), textFromWire(rowId, "rowId"));
        return { row: { ...rowToWire(row), payload: plainOf(row.payload) } };
      },
      async retryRow({ tenantId, rowId, who, why }) {
        const [tenant, id] = [textFromWire(tenantId, "tenantId"), textFromWire(rowId, "rowId")];
        return { row: rowToWire(await outbox.retry(tenant, id, noteFromWire(who, why))) };
      },
      async dropRow({ tenantId, rowId, who, why }) {
        const [tenant, id] = [textFromWire(tenantId, "tenantId"), textFromWire(rowId, "rowId")];
        return { row: rowToWire(await outbox.drop(tenant, id, noteFromWire(who, why))) };
      },
    },
  });
}

function rowToWire(row: RowView): WirePartial<WireRow> {
  const { id, tenantId, aggregate, seq, kind, state, attempts, lastError, dueAt, createdAt, closedAt } = row;
  return {
    rowId: id,
    tenantId,
    aggregate,
    sequence: BigInt(seq),
    kind,
    state,
    attempts: Number(attempts),
    lastError: lastError ?? "",
    dueAt,
    createdAt,
    ...(closedAt !== undefined && { closedAt }),
    interactionId: row.interactionId,
    actor: row.actor,
    notes: (row.notes ?? []).map(({ action, who, why, at }) => ({ action, who, why, at })),
  };
}

/** As JSON has it: whole numbers beyond its reach and times become text. */
function plainOf(payload: Record<string, unknown>): Record<string, unknown> {
  const plain: unknown = JSON.parse(
    JSON.stringify(payload, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value)),
  );
  return plain as Record<string, unknown>;
}

function stateFromWire(text: string): RowState {
  const state = text === "" ? "PARKED" : states.find((one) => one === text);
  if (state === undefined) throw invalidInput("state", `must be one of ${states.join(", ")}`);
  return state;
}

function limitFromWire(limit: number): number {
  if (limit < 0 || limit > maxRows) throw invalidInput("limit", `must be 1 to ${maxRows}`);
  return limit === 0 ? 50 : limit;
}

function noteFromWire(who: string, why: string): { who: string; why: string } {
  return { who: textFromWire(who, "who"), why: textFromWire(why, "why") };
}

const textFromWire = (text: string, path: string): string => trimmedFromWire(text, path, 500);
