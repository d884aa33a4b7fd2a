/** A journal of one replica, as it is weighed against the others. */
export interface SharedJournal {
  readonly tenantId: string;
  /** One for being there, and the transfers waiting or under way on average. */
  readonly load: number;
  /** Has a replica to itself, as long as there is another one for the rest. */
  readonly isPinned: boolean;
}

/** Another replica, as it tells of itself. */
export interface Peer {
  readonly address: string;
  /** Of all its journals together. */
  readonly load: number;
  /** It owns a pinned journal, and takes no other. */
  readonly isReserved: boolean;
}

export interface Move {
  readonly tenantId: string;
  /** Address of the replica that gets the journal. */
  readonly to: string;
}

/**
 * By which part of the mean load a move must better things. Loads of equal replicas differ by less
 * from one look to the next, so a journal is not handed to and fro.
 */
const hysteresis = 1 / 3;

/** Which of its journals a replica hands to which other one. Every replica plans for itself. */
export function planMoves(journals: readonly SharedJournal[], peers: readonly Peer[]): Move[] {
  const free = peers.filter(({ isReserved }) => !isReserved);
  return journals.some(({ isPinned }) => isPinned) ? clear(journals, free) : level(journals, free);
}

/** The replica that a reserved one leaves new journals to. Undefined where there is none. */
export function leastLoaded(peers: readonly Peer[]): Peer | undefined {
  let least: Peer | undefined;
  for (const peer of peers) {
    if (!peer.isReserved && (least === undefined || peer.load < least.load)) least = peer;
  }
  return least;
}

/**
 * The first pinned journal stays alone; further ones go to replicas of their own while one is left
 * for the rest.
 */
function clear(journals: readonly SharedJournal[], free: readonly Peer[]): Move[] {
  const scale = createScale(free);
  const moves: Move[] = [];
  const [, ...surplus] = journals.filter(({ isPinned }) => isPinned).sort(byTenant);
  for (const { tenantId } of surplus.slice(0, Math.max(0, free.length - 1))) {
    const to = scale.least()!;
    scale.remove(to);
    moves.push({ tenantId, to: to.address });
  }
  for (const journal of journals.filter(({ isPinned }) => !isPinned)) {
    const to = scale.least();
    if (to === undefined) break;
    scale.add(to, journal.load);
    moves.push({ tenantId: journal.tenantId, to: to.address });
  }
  return moves;
}

/**
 * What this replica has above the mean goes to the least loaded, each time the journal that brings
 * the two nearest to each other. Those who plan at the same moment give no more together than the
 * others lack, since none goes below the mean.
 */
function level(journals: readonly SharedJournal[], free: readonly Peer[]): Move[] {
  const scale = createScale(free);
  const left = new Set(journals);
  const moves: Move[] = [];
  let own = totalOf(journals);
  const mean = (own + totalOf(free)) / (free.length + 1);
  for (let to = scale.least(); to !== undefined; to = scale.least()) {
    const gap = own - to.load;
    const most = Math.min(gap - hysteresis * mean, 2 * (own - mean));
    const journal = nearest(left, gap / 2, most);
    if (journal === undefined) break;
    left.delete(journal);
    own -= journal.load;
    scale.add(to, journal.load);
    moves.push({ tenantId: journal.tenantId, to: to.address });
  }
  return moves;
}

/**
 * The journal of less than `most` whose load is nearest to the one asked for; the lighter of two.
 */
function nearest(journals: ReadonlySet<SharedJournal>, load: number, most: number): SharedJournal | undefined {
  let best: SharedJournal | undefined;
  for (const journal of journals) {
    if (journal.load >= most) continue;
    const nearer = best === undefined ? -1 : Math.abs(journal.load - load) - Math.abs(best.load - load);
    if (nearer < 0 || (nearer === 0 && journal.load < best!.load)) best = journal;
  }
  return best;
}

/** The loads of others as they will be once what is planned has happened. */
function createScale(peers: readonly Peer[]) {
  let loads = [...peers];
  return {
    least: () => leastLoaded(loads),
    add(to: Peer, load: number): void {
      loads = loads.map((peer) => (peer.address === to.address ? { ...peer, load: peer.load + load } : peer));
    },
    remove(gone: Peer): void {
      loads = loads.filter(({ address }) => address !== gone.address);
    },
  };
}

function totalOf(some: readonly { load: number }[]): number {
  return some.reduce((sum, { load }) => sum + load, 0);
}

function byTenant(a: SharedJournal, b: SharedJournal): number {
  return a.tenantId < b.tenantId ? -1 : 1;
}
