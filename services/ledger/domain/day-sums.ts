import { maxInt64 } from "../../kernel/money.js";
import type { Day } from "./days.js";
import type { Account, DaySums, Transfer, Volume } from "./model.js";

/** What one day of one account grows by. */
export interface DayChange extends DaySums {
  readonly accountId: string;
}

export interface Booked {
  readonly openDay?: DaySums;
  /** What belongs to days other than the open one. */
  readonly changes: readonly DayChange[];
}

/**
 * Books what a transfer moves on the account's day that it counts for. The open day travels in the
 * account's document, which is written anyway, so that only a new day and a back-dated transfer
 * cost a write of their own. A day still to come is never opened: it would shut out today. An open
 * day that would pass int64 is booked as it is and begins anew.
 */
export function bookDay(account: Account, sums: DaySums, today: Day): Booked {
  const { openDay, info } = account;
  const { accountId } = info;
  if (openDay?.day === sums.day) {
    const openSums = addSums(openDay, sums);
    const fits = openSums.debitsMinor <= maxInt64 && openSums.creditsMinor <= maxInt64;
    return fits ? { openDay: openSums, changes: [] } : { openDay: sums, changes: [{ accountId, ...openDay }] };
  }
  if (sums.day > today || (openDay !== undefined && sums.day < openDay.day)) {
    return { ...(openDay === undefined ? {} : { openDay }), changes: [{ accountId, ...sums }] };
  }
  return { openDay: sums, changes: openDay === undefined ? [] : [{ accountId, ...openDay }] };
}

function addSums(a: DaySums, b: DaySums): DaySums {
  return {
    day: a.day,
    debitsMinor: a.debitsMinor + b.debitsMinor,
    creditsMinor: a.creditsMinor + b.creditsMinor,
  };
}

/** One change per account and day. */
export function mergeDays(changes: Iterable<DayChange>): DayChange[] {
  const merged = new Map<string, DayChange>();
  for (const change of changes) {
    const id = `${change.accountId}/${change.day}`;
    const known = merged.get(id);
    merged.set(id, known === undefined ? change : { accountId: change.accountId, ...addSums(known, change) });
  }
  return [...merged.values()];
}

/**
 * Volumes of a commit: the open day's go into the head, which is written anyway; others are
 * changes.
 */
export function bookVolumes(
  open: readonly Volume[] | undefined,
  transfers: readonly Transfer[],
  today: Day,
): { open: readonly Volume[]; changes: readonly Volume[] } {
  const added = volumesOf(transfers);
  const past = open?.[0]?.day;
  // The open day moves on with the first transfer of a later one that has begun.
  const openDay = added.reduce<number | undefined>(
    (latest, { day }) => (day <= today && (latest === undefined || day > latest) ? day : latest),
    past,
  );
  const here = [...(open ?? []), ...added];
  return {
    open: mergeVolumes(here.filter(({ day }) => day === openDay)),
    changes: mergeVolumes(here.filter(({ day }) => day !== openDay)),
  };
}

/** One volume per day, kind and currency of transfers that moved money. */
export function volumesOf(transfers: Iterable<Transfer>): Volume[] {
  // Kinds and currencies of a commit are few: searching beats making a text of each transfer's.
  const volumes: { -readonly [Name in keyof Volume]: Volume[Name] }[] = [];
  for (const { mode, day, kind, currency, amountMinor } of transfers) {
    if (mode !== "POSTED" && mode !== "POST_PENDING") continue;
    const known = volumes.find((one) => one.kind === kind && one.currency === currency && one.day === day);
    if (known === undefined) volumes.push({ day, kind, currency, transfers: 1n, amountMinor });
    else {
      known.transfers += 1n;
      known.amountMinor += amountMinor;
    }
  }
  return volumes;
}

export function mergeVolumes(volumes: readonly Volume[]): Volume[] {
  if (volumes.length <= 1) return [...volumes];
  const merged = new Map<string, Volume>();
  for (const volume of volumes) {
    const id = `${volume.day}/${volume.kind}/${volume.currency}`;
    const known = merged.get(id);
    merged.set(
      id,
      known === undefined
        ? volume
        : {
            ...known,
            transfers: known.transfers + volume.transfers,
            amountMinor: known.amountMinor + volume.amountMinor,
          },
    );
  }
  return [...merged.values()];
}
