import { randomUUID } from "node:crypto";
import type { Connection } from "mongoose";
import type { Clock } from "../../kernel/time/clock.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import type { Logger } from "../../kernel/process/log.js";
import type { Journal, JournalLimits } from "./journal.js";
import type { Calendars } from "./calendars.js";
import { takeOver, type TakenOver } from "./take-over.js";
import type { HeadPublisher } from "../jobs/published-heads.js";
import type { Committed } from "./commit-stage.js";
import { createLeaseStore } from "../store/leases.js";
import type { SharedJournal } from "../domain/sharing.js";

export interface OwnershipOptions {
  readonly db: Connection;
  /** Where other replicas reach this one, once it listens; no two live processes share it. */
  readonly address: Promise<string>;
  /** The process, unlike any other. */
  readonly holder?: string;
  readonly leaseTtlMs: number;
  /** A journal that nobody posted to for this long is given up. */
  readonly idleMs: number;
  readonly clock: Clock;
  readonly calendars: Calendars;
  readonly limits: JournalLimits;
  readonly log: Logger;
  /** Tenants whose journals share a replica with no other, where there is a second replica. */
  readonly pinned?: ReadonlySet<string>;
  /** Told heads now and then, and whenever a journal is taken over or given up. */
  readonly publisher?: HeadPublisher | undefined;
  readonly publishEveryMs?: number;
  /** Told of each tenant whose journal this process has written to. */
  readonly onCommitted?: ((tenantId: string, committed: Committed) => void) | undefined;
}

export type Owner =
  { readonly kind: "self"; readonly journal: Journal } | { readonly kind: "other"; readonly address: string };

interface Owned extends TakenOver {
  lastUsedMs: number;
}

export type Ownership = ReturnType<typeof createOwnership>;

// How long another owner's address is believed. Forwarding to one that is gone fails and asks again
// at once.
const rememberOtherMs = 1_000;

/**
 * Which journals this process owns. Leases decide who serves; the epoch in the head decides who can
 * write.
 */
export function createOwnership(options: OwnershipOptions) {
  const {
    db,
    address: own,
    holder = randomUUID(),
    leaseTtlMs,
    idleMs,
    clock,
    calendars,
    limits,
    log,
    pinned,
    onCommitted,
  } = options;
  const leases = createLeaseStore(db, { address: own, holder, ttlMs: leaseTtlMs });
  const owned = new Map<string, Owned>();
  const others = new Map<string, { address: string; untilMs: number }>();
  const searches = new Map<string, Promise<Owner | undefined>>();
  let leftTo: string | undefined;
  let isStopping = false;
  let isTending = false;
  let publishedAtMs = 0;
  const timer = setInterval(() => void tend(), leaseTtlMs / 3);
  timer.unref();

  /**
   * The owner of a tenant's journal, this process taking over where there is none; undefined while
   * it is changing hands.
   */
  async function find(tenantId: string): Promise<Owner | undefined> {
    const mine = owned.get(tenantId);
    if (mine !== undefined) {
      mine.lastUsedMs = performance.now();
      mine.journal.countDaysBy(await calendars.of(tenantId));
      return { kind: "self", journal: mine.journal };
    }
    const other = others.get(tenantId);
    if (other !== undefined && performance.now() < other.untilMs) return { kind: "other", address: other.address };
    let search = searches.get(tenantId);
    if (search === undefined) {
      search = searchOwner(tenantId).finally(() => searches.delete(tenantId));
      searches.set(tenantId, search);
    }
    return search;
  }

  async function searchOwner(tenantId: string): Promise<Owner | undefined> {
    const taker = isPinned(tenantId) ? undefined : leftTo;
    if (!isStopping && taker === undefined) {
      const taken = await takeOver({ db, leases, clock, calendars, limits, log, onCommitted, onLost }, tenantId);
      if (taken !== undefined) {
        keep(tenantId, taken);
        return { kind: "self", journal: taken.journal };
      }
    }
    const address = (await leases.findOtherOwner(tenantId)) ?? taker;
    return address === undefined ? undefined : rememberOther(tenantId, address);
  }

  function rememberOther(tenantId: string, address: string): Owner {
    others.set(tenantId, { address, untilMs: performance.now() + rememberOtherMs });
    return { kind: "other", address };
  }

  function isPinned(tenantId: string): boolean {
    return pinned?.has(tenantId) === true;
  }

  function keep(tenantId: string, taken: TakenOver): void {
    others.delete(tenantId);
    owned.set(tenantId, { ...taken, lastUsedMs: performance.now() });
    publish(tenantId, taken.journal);
  }

  /** Leaves the journal to whoever asks first, or to the replica at an address. */
  async function giveUp(tenantId: string, { journal, epoch, endSession }: Owned, to?: string): Promise<boolean> {
    owned.delete(tenantId);
    try {
      await (to === undefined ? journal.close() : journal.handOver());
      publish(tenantId, journal);
      if (to !== undefined) crashPoint("ledger.handover.drained");
      return await leases.release(tenantId, epoch, to);
    } finally {
      await endSession();
    }
  }

  /**
   * Gives a journal to another replica while both serve. Those who ask here meanwhile wait for it;
   * where anything goes wrong the lease says who is next.
   */
  async function handOver(tenantId: string, to: string): Promise<boolean> {
    const mine = owned.get(tenantId);
    if (mine === undefined || isStopping) return false;
    const handing = giveUp(tenantId, mine, to)
      .then((isReleased) => (isReleased ? rememberOther(tenantId, to) : undefined))
      .finally(() => searches.delete(tenantId));
    searches.set(tenantId, handing);
    const isHanded = (await handing) !== undefined;
    if (isHanded) {
      crashPoint("ledger.handover.written");
      log.info({ tenantId, to }, "handed the journal over");
    }
    return isHanded;
  }

  function onLost(tenantId: string, journal: Journal): void {
    if (owned.get(tenantId)?.journal === journal) owned.delete(tenantId);
  }

  /**
   * The log and the operator's file lie outside the database: a tail that is cut off later does not
   * fit what stands there.
   */
  function publish(tenantId: string, journal: Journal): void {
    options.publisher?.publish({ tenantId, ...journal.head() });
  }

  function publishNowAndThen(): void {
    if (performance.now() - publishedAtMs < (options.publishEveryMs ?? 10_000)) return;
    publishedAtMs = performance.now();
    for (const [tenantId, { journal }] of owned) publish(tenantId, journal);
  }

  /** Prolongs the leases in use and gives up those that nobody needs. */
  async function tend(): Promise<void> {
    if (isTending) return;
    isTending = true;
    try {
      for (const [tenantId, { untilMs }] of others) if (untilMs < performance.now()) others.delete(tenantId);
      const idleSince = performance.now() - idleMs;
      for (const [tenantId, mine] of owned) {
        if (mine.lastUsedMs < idleSince && mine.journal.isIdle() && !isPinned(tenantId)) {
          await giveUp(tenantId, mine);
          log.debug({ tenantId }, "gave up an idle journal");
        }
      }
      if (owned.size === 0) return;
      publishNowAndThen();
      const renewed = new Map([...owned].map(([tenantId, { epoch }]) => [tenantId, epoch]));
      for (const tenantId of await leases.renew(renewed)) {
        const lostOne = owned.get(tenantId);
        if (lostOne?.epoch === renewed.get(tenantId)) lostOne?.journal.lose(new Error("the lease was taken over"));
      }
    } catch (error) {
      // MongoDB is away. Nobody can take over meanwhile, and the head tells at the next commit
      // whether somebody did.
      log.warn({ err: error }, "the journals' leases could not be renewed");
    } finally {
      isTending = false;
    }
  }

  return {
    find,
    /** Asks anew at the next find: the owner that was answered did not serve. */
    forget: (tenantId: string) => void others.delete(tenantId),
    isStopping: () => isStopping,
    handOver,

    /** What this process owns, each with what it had to do since this was last asked. */
    journals: (): SharedJournal[] =>
      [...owned].map(([tenantId, { journal }]) => ({
        tenantId,
        load: 1 + journal.load.take(),
        isPinned: isPinned(tenantId),
      })),
    /** Transfers waiting or under way, in each journal. */
    queued: (): number[] => [...owned.values()].map(({ journal }) => journal.load.now),

    /** While an address is named, journals without an owner are left to the replica there. */
    leaveNewTo: (address: string | undefined) => void (leftTo = address),

    /** Finishes what is queued and releases every lease, so that others take over at once. */
    async stop(): Promise<void> {
      isStopping = true;
      clearInterval(timer);
      await Promise.allSettled(searches.values());
      const leaving = [...owned].map(([tenantId, mine]) => giveUp(tenantId, mine));
      const results = await Promise.allSettled([...leaving, leases.declineHandedOver()]);
      for (const result of results) {
        if (result.status === "rejected") log.warn({ err: result.reason as unknown }, "a lease could not be released");
      }
    },
  };
}
