import type { Transfer } from "../../../services/ledger/domain/model.js";
import type { Closings } from "../../property/ledger-book-state.js";
import type { Order, Waiting } from "./check.js";
import type { Closing, History, Sent } from "./history.js";

const dayMs = 86_400_000;
// What is refused so was open: that is looked at first.
const laterThanClosed = ["INSUFFICIENT_FUNDS", "PERIOD_CLOSED"];

export const isClosed = (flags: readonly string[]) => flags.includes("ACCOUNT_FLAG_CLOSED");

/** Something that was closed, after the transfers from `after` up to `until`. */
interface Closed {
  readonly closes: Closing["closes"];
  readonly after: bigint;
  readonly until: bigint;
}

/**
 * Where the closings of a history were in its journal, as far as that follows from who was answered
 * before whom. `given` is what was closed before the history.
 */
export function createClosed(history: History, order: Order, rows: readonly Transfer[], given: Closings) {
  const faults: string[] = [];
  const requested = Map.groupBy(
    history.closings.filter(({ answer }) => answer !== "ACCOUNT_NOT_EMPTY"),
    ({ closes }) => closes,
  );
  const seen = seenOf(history, rows, given);
  const closed = [...requested].map(([closes, asks]): Closed => {
    const shown = seen.get(closes) ?? [];
    const openAt = shown.flatMap(({ isClosed, begun }) => (isClosed ? [] : [begun]));
    const closedAt = shown.flatMap(({ isClosed, ended }) => (isClosed ? [ended] : []));
    const begun = Math.max(Math.min(...asks.map((one) => one.begun)), ...openAt);
    const ended = Math.min(...asks.map((one) => one.ended), ...closedAt);
    const last = rows.findLast((row) => couldNotFollow(row, closes))?.seq ?? 0n;
    const before = order.acknowledgedBefore(begun);
    const found = { closes, after: last > before ? last : before, until: order.lastUntil(ended) };
    if (begun > ended || found.after > found.until) faults.push(`closing ${closes}: open after it was closed`);
    return found;
  });
  for (const { closes, begun, answer: told } of history.closings) {
    if (typeof told !== "number") continue;
    const known = history.closings.filter((one) => typeof one.closes === "number" && one.ended < begun);
    const least = Math.max(...known.map((one) => Number(one.closes)), Number(closes));
    if (told < least || !requested.has(told)) faults.push(`closing ${closes}: told ${told}`);
  }
  let certain = given;
  let open = closed;
  return {
    faults,
    /** Every closing was of an empty account, and was refused for one that was not. */
    waiting: [
      ...closed.flatMap(({ closes, ...window }) => answersOf(closes, window, undefined)),
      ...history.closings.flatMap(({ closes, begun, ended, answer }) =>
        answer === "ACCOUNT_NOT_EMPTY"
          ? answersOf(closes, { after: order.acknowledgedBefore(begun), until: order.lastUntil(ended) }, answer)
          : [],
      ),
    ],
    /**
     * All that may have been closed at a place of the journal; places are asked for in their order.
     */
    at(seq: bigint): Closings[] {
      for (const one of open) if (one.until < seq) certain = withClosed(certain, one.closes);
      open = open.filter(({ until }) => until >= seq);
      return open
        .filter(({ after }) => after <= seq)
        .reduce((all, { closes }) => [...all, ...all.map((one) => withClosed(one, closes))], [certain]);
    },
  };
}

function answersOf(closes: Closing["closes"], window: Pick<Waiting, "after" | "until">, code?: string): Waiting[] {
  if (typeof closes === "number") return [];
  const what = `closing ${closes}: ${code ?? "closed"}`;
  return [{ ...window, what, holds: (book) => book.triedClosing(closes, "wallet") === code }];
}

function withClosed({ closed, closedThrough }: Closings, closes: Closing["closes"]): Closings {
  if (typeof closes === "number") return { closed, closedThrough: Math.max(closedThrough, closes) };
  return { closed: new Map(closed).set(closes, true), closedThrough };
}

/** Whether a transfer cannot stand after a closing. */
function couldNotFollow(row: Transfer, closes: Closing["closes"]): boolean {
  if (typeof closes === "string") return row.debitAccountId === closes || row.creditAccountId === closes;
  return row.day <= closes;
}

interface Seen {
  readonly isClosed: boolean;
  readonly begun: number;
  readonly ended: number;
}

/** What reads and refusals show to be open or closed while they were in flight. */
function seenOf(
  { sent, readings, closings }: History,
  rows: readonly Transfer[],
  given: Closings,
): ReadonlyMap<Closing["closes"], Seen[]> {
  const seen = new Map<Closing["closes"], Seen[]>(closings.map(({ closes }) => [closes, []]));
  const days = [...seen.keys()].filter((closes) => typeof closes === "number").toSorted((a, b) => a - b);
  for (const one of readings) {
    if (one.kind !== "accounts") continue;
    for (const { accountId, flags } of one.accounts) {
      seen.get(accountId)?.push({ isClosed: isClosed(flags), begun: one.begun, ended: one.ended });
    }
  }
  const byKey = new Map(rows.map((row) => [row.key, row]));
  for (const one of sent.values()) {
    if (one.ended === undefined) continue;
    const at = { begun: one.begun, ended: one.ended };
    const refused = one.answers[0]?.refused;
    for (const { key } of refused === undefined ? one.group.transfers : []) {
      const { belongsTo = -Infinity } = byKey.get(key) ?? {};
      const through = belongsTo > given.closedThrough ? days.find((closes) => closes >= belongsTo) : undefined;
      if (through !== undefined) seen.get(through)!.push({ isClosed: true, ...at });
    }
    if (refused === undefined) continue;
    const { code, transferIndex } = refused;
    const named = namedBy(one, transferIndex, byKey).filter((id) => seen.has(id));
    if (code === "ACCOUNT_CLOSED" && named.length === 1) seen.get(named[0]!)!.push({ isClosed: true, ...at });
    if (laterThanClosed.includes(code)) for (const id of named) seen.get(id)!.push({ isClosed: false, ...at });
    const day = Math.floor((one.group.transfers[transferIndex]!.effectiveAtMs ?? Infinity) / dayMs);
    // Days are closed one after the other: the first that covers it was.
    const isOwn = code === "PERIOD_CLOSED" && day > given.closedThrough;
    const through = isOwn ? days.find((closes) => closes >= day) : undefined;
    if (through !== undefined) seen.get(through)!.push({ isClosed: true, ...at });
  }
  return seen;
}

/** The accounts of a transfer that was asked, or of the one that it names. */
function namedBy({ group }: Sent, index: number, byKey: ReadonlyMap<string, Transfer>): string[] {
  const { refersTo, ...requested } = group.transfers[index]!;
  const { debitAccountId, creditAccountId } = byKey.get(refersTo) ?? requested;
  return [debitAccountId, creditAccountId];
}

/** What the closings of a history are there for, as often as it happened. */
export function besideClosings({ sent, closings }: History): string[] {
  return [...sent.values()].flatMap(({ group, answers, begun, ended }) => {
    const { posted, refused } = answers[0] ?? {};
    const days = group.transfers.map(({ effectiveAtMs }) => Math.floor((effectiveAtMs ?? Infinity) / dayMs));
    const ids = group.transfers.flatMap(({ debitAccountId, creditAccountId }) => [debitAccountId, creditAccountId]);
    const beside = closings.filter((one) => one.begun < (ended ?? 0) && begun < one.ended);
    const kinds = beside.flatMap(({ closes }) =>
      typeof closes === "string"
        ? ids.includes(closes)
          ? ["an account"]
          : []
        : days.includes(closes)
          ? ["a period"]
          : [],
    );
    return [...new Set(kinds)].flatMap((kind) => [
      ...(posted === undefined ? [] : [`a posting beside the closing of ${kind}`]),
      ...(["ACCOUNT_CLOSED", "PERIOD_CLOSED"].includes(refused?.code ?? "")
        ? [`a refusal beside the closing of ${kind}`]
        : []),
    ]);
  });
}
