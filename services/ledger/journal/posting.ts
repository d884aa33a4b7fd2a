import { setTimeout as sleep } from "node:timers/promises";
import type { GroupResult } from "../../../proto/gen/ledger/v1/ledger.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import { Refusal, type RefusalCode } from "../../kernel/refusal.js";
import type { Journal } from "./journal.js";
import { JournalLost } from "./lost.js";
import type { LinkedGroup, Posting } from "../domain/model.js";
import type { Ownership } from "./ownership.js";
import { isStoreAway, storeAway } from "../store/away.js";
import { decisionToWire } from "../wire/transfers.js";

export interface PostingCall {
  readonly tenantId: string;
  readonly interactionId: string;
  readonly deadline?: Date | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** One result per group, as it goes over the wire. */
export type Results = WirePartial<GroupResult>[];

/** Sends a posting to another replica; throws the Refusals of its answer. */
export type Forward = (address: string, posting: Posting, call: PostingCall) => Promise<Results>;

const mayPass: ReadonlySet<RefusalCode> = new Set(["LEASE_LOST", "UNAVAILABLE", "DEADLINE_EXCEEDED"]);

type Outcome = { results: Results } | { refusal: Refusal; isFinal?: boolean };

const patienceMs = 10_000;
const firstPauseMs = 20;
const maxPauseMs = 250;

/**
 * Takes postings to whichever replica owns the tenant's journal. Every key decides once, so a step
 * that failed is repeated.
 */
export function createPosting({ ownership, forward }: { ownership: Ownership; forward: Forward }) {
  /**
   * Decides each group where the journal is. Refuses UNAVAILABLE (undecided) when no owner serves
   * in time.
   */
  async function post(posting: Posting, call: PostingCall): Promise<Results> {
    const giveUpAtMs = Math.min(call.deadline?.getTime() ?? Infinity, Date.now() + patienceMs);
    for (let attempt = 0; ; attempt++) {
      const outcome = await tryOnce(posting, call);
      if ("results" in outcome) return outcome.results;
      if (outcome.isFinal === true) throw outcome.refusal;
      ownership.forget(call.tenantId);
      const pauseMs = Math.random() * Math.min(maxPauseMs, firstPauseMs * 2 ** attempt);
      if (Date.now() + pauseMs >= giveUpAtMs || call.signal?.aborted === true) throw outcome.refusal;
      await sleep(pauseMs);
    }
  }

  async function tryOnce(posting: Posting, call: PostingCall): Promise<Outcome> {
    try {
      const owner = await ownership.find(call.tenantId);
      // A replica that is going away does not wait for another to take over: callers find that one
      // by themselves.
      if (owner === undefined) return { refusal: betweenOwners(), isFinal: ownership.isStopping() };
      if (owner.kind === "other") return { results: await forward(owner.address, posting, call) };
      return { results: await decide(owner.journal, posting, call) };
    } catch (error) {
      if (isStoreAway(error)) return { refusal: storeAway(error) };
      if (error instanceof JournalLost) return { refusal: betweenOwners(error) };
      // A forward that took too long ends here too: the lease of an owner that hangs passes on
      // before the caller's time is up.
      if (error instanceof Refusal && mayPass.has(error.code)) {
        return { refusal: error.code === "LEASE_LOST" ? betweenOwners(error) : error };
      }
      throw error;
    }
  }

  return {
    post,

    /**
     * For postings that another replica forwarded: decided here or refused LEASE_LOST, never
     * forwarded again.
     */
    async postForwarded(posting: Posting, call: PostingCall): Promise<Results> {
      try {
        const owner = await ownership.find(call.tenantId);
        if (owner?.kind === "self") return await decide(owner.journal, posting, call);
      } catch (error) {
        if (!(error instanceof JournalLost)) throw error;
      }
      throw new Refusal("LEASE_LOST", "this replica does not own the tenant's journal");
    },
  };
}

/** All groups are asked before any is awaited: they share a commit where they can. */
async function decide(journal: Journal, { groups }: Posting, call: PostingCall): Promise<Results> {
  journal.assertRoom(groups.reduce((sum, { transfers }) => sum + transfers.length, 0));
  const results = await Promise.allSettled(groups.map((group) => journal.post(group, call)));
  return results.map((result, index) => {
    if (result.status === "rejected") throw result.reason;
    return decisionToWire(result.value, keysOf(groups[index]!));
  });
}

export function keysOf({ transfers }: LinkedGroup): string[] {
  return transfers.map(({ key }) => key);
}

function betweenOwners(cause?: unknown): Refusal {
  const refusal = new Refusal("UNAVAILABLE", "the tenant's journal is changing hands, try again", { retryAfterS: 1 });
  refusal.cause = cause;
  return refusal;
}
