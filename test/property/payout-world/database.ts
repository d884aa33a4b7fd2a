import { Refusal } from "../../../services/kernel/refusal.js";
import type { RowKind } from "../../../services/kernel/outbox/index.js";
import type { Process, Schedule, Tape } from "./schedule.js";

/** A row of the outbox, as far as the world needs it. */
export interface Row {
  readonly id: string;
  readonly tenantId: string;
  readonly aggregate: string;
  readonly seq: number;
  readonly kind: RowKind;
  readonly payload: Record<string, unknown>;
  readonly interactionId: string;
  readonly actor: string;
  readonly state: "DUE" | "PARKED" | "DONE" | "CANCELLED";
  readonly dueAt: number;
  readonly attempts: number;
  readonly token: string;
  readonly leasedUntil: number;
  readonly lastError: string;
}

type Made = "id" | "state" | "dueAt" | "attempts" | "token" | "leasedUntil" | "lastError";
export type NewRow = Omit<Row, Made> & { readonly dueAt?: Date };

/** Documents by key; they are replaced, never changed. */
type Documents = Map<string, unknown>;

/** A snapshot with what was written on top of it. */
export interface Snapshot {
  readonly documents: Documents;
  readonly base: Documents;
  readonly written: Set<string>;
}

export type Database = ReturnType<typeof createDatabase>;

/**
 * Remittance's database: snapshot transactions of which the first to commit wins, and single
 * updates.
 */
export function createDatabase(schedule: Schedule, tape: Tape) {
  const main: Documents = new Map();

  function hasConflict({ base, written }: Snapshot): boolean {
    return [...written].some((key) => main.get(key) !== base.get(key));
  }

  const from = (snapshot: Snapshot | undefined): Documents => snapshot?.documents ?? main;

  const database = {
    get: <T>(key: string, snapshot?: Snapshot) => from(snapshot).get(key) as T | undefined,
    set(key: string, value: unknown, snapshot?: Snapshot): void {
      from(snapshot).set(key, value);
      snapshot?.written.add(key);
    },
    all<T>(prefix: string, snapshot?: Snapshot): T[] {
      return [...from(snapshot)].filter(([key]) => key.startsWith(prefix)).map(([, value]) => value as T);
    },
    /**
     * As inTransaction: run again after a conflict; where a commit's answer is lost, or it was lost
     * itself, read back.
     */
    async transaction<T>(
      process: Process,
      work: (session: Snapshot) => Promise<T>,
      readBack: () => Promise<T | undefined>,
    ): Promise<T> {
      for (;;) {
        await schedule.step(process);
        const snapshot: Snapshot = { documents: new Map(main), base: new Map(main), written: new Set() };
        const result = await work(snapshot);
        await schedule.step(process);
        if (hasConflict(snapshot)) continue;
        const luck = tape.choose(12);
        if (luck !== 11) for (const key of snapshot.written) main.set(key, snapshot.documents.get(key));
        if (luck < 10) return result;
        await schedule.step(process);
        const found = await readBack();
        if (found !== undefined) return found;
      }
    },
  };
  return database;
}

/** The session that the code under test was handed is one of ours. */
export const snapshotOf = (session: unknown): Snapshot | undefined => session as Snapshot | undefined;

export type Outbox = ReturnType<typeof createOutbox>;

/** The outbox and its leases, on the database. */
export function createOutbox(database: Database, now: () => number) {
  let made = 0;
  const rows = (session?: unknown) => database.all<Row>("row:", snapshotOf(session));
  const put = (row: Row, session?: unknown) => database.set(`row:${row.id}`, row, snapshotOf(session));
  const isOpen = ({ state }: Row) => state === "DUE" || state === "PARKED";
  const inOrder = (a: Row, b: Row) => a.seq - b.seq || (a.id < b.id ? -1 : 1);

  return {
    rows,
    put,
    isOpen,
    add({ dueAt, ...row }: NewRow, session: unknown): string {
      const isTaken = (one: Row) => one.aggregate === row.aggregate && one.seq === row.seq && one.kind === row.kind;
      if (rows(session).some(isTaken)) throw new Error(`two rows ${row.kind} at ${row.aggregate} ${row.seq}`);
      const id = String(++made).padStart(4, "0");
      const fresh = { state: "DUE" as const, attempts: 0, token: "", leasedUntil: 0, lastError: "" };
      put({ ...row, ...fresh, id, dueAt: dueAt?.getTime() ?? now() }, session);
      return id;
    },
    close(
      state: "DONE" | "CANCELLED",
      { aggregate, kind }: { aggregate: string; kind: string },
      session: unknown,
    ): void {
      const named = (row: Row) => row.aggregate === aggregate && row.kind === kind && isOpen(row);
      for (const row of rows(session).filter(named)) put({ ...row, state, token: "" }, session);
    },
    /** The lowest open rows of their aggregates that nobody holds, those due first. */
    takeable(): Row[] {
      const lowest = new Map<string, Row>();
      for (const row of rows().filter(isOpen).toSorted(inOrder).toReversed()) lowest.set(row.aggregate, row);
      const free = [...lowest.values()].filter((row) => row.state === "DUE" && row.leasedUntil <= now());
      return free.toSorted((a, b) => a.dueAt - b.dueAt);
    },
    /** Closes a row that is still held under this token. Throws LEASE_LOST otherwise. */
    complete(id: string, token: string, session?: unknown): void {
      const row = database.get<Row>(`row:${id}`, snapshotOf(session));
      if (row?.state !== "DUE" || row.token !== token) throw new Refusal("LEASE_LOST", "the row's lease was lost");
      put({ ...row, state: "DONE", token: "" }, session);
    },
  };
}
