import type { JSONWebKeySet } from "jose";
import { Refusal } from "../refusal.js";
import { importKeySet, type KeysOf, type VerifyingKey } from "./signed-claims.js";

const freshForMs = 5 * 60_000;
const smallestFetchIntervalMs = 10_000;
// Identity may be away for a while without everybody being locked out at once.
const usableForMs = 60 * 60_000;

/**
 * Keys of a key set that is fetched: kept for 5 minutes, then renewed beside the calls; an unknown
 * kid makes it be fetched again, at most once in 10 s. UNAVAILABLE while there is none to be had.
 */
export function createJwksSource(fetchKeySet: () => Promise<JSONWebKeySet>, now: () => number = Date.now): KeysOf {
  let keys: ReadonlyMap<string, readonly VerifyingKey[]> | undefined;
  let printed = "";
  let fetchedAtMs = 0;
  let triedAtMs = 0;
  let fetching: Promise<void> | undefined;

  async function fetchOnce(): Promise<void> {
    triedAtMs = now();
    const fetched = await fetchKeySet();
    const text = JSON.stringify(fetched);
    // The same set keeps its key objects, and with them the signatures that were already checked.
    if (text !== printed) keys = await importKeySet(fetched);
    printed = text;
    fetchedAtMs = now();
  }

  function fetchJoined(): Promise<void> {
    fetching ??= fetchOnce().finally(() => (fetching = undefined));
    return fetching;
  }

  return async (kid) => {
    const nowMs = now();
    const mayFetch = nowMs - triedAtMs >= smallestFetchIntervalMs;
    if (keys === undefined || nowMs - fetchedAtMs > usableForMs) {
      await fetchJoined().catch((error: unknown) => {
        throw new Refusal("UNAVAILABLE", `identity's keys cannot be had: ${reasonOf(error)}`, { retryAfterS: 1 });
      });
    } else if (!keys.has(kid) && mayFetch) {
      await fetchJoined().catch(() => undefined);
    } else if (nowMs - fetchedAtMs > freshForMs && mayFetch) {
      void fetchJoined().catch(() => undefined);
    }
    return keys?.get(kid) ?? [];
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : "unknown";
}
