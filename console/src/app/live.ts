import { useEffect, useState } from "react";
import { ApiError } from "@manilla/client";
import { api } from "../lib/api";
import { invalidate, pollMs, type AreaName } from "../lib/queries";
import { mayCall, useUser } from "../lib/use-session";

/** Which pages an event makes stale, by the part of its type before the dot. */
const stales: Readonly<Record<string, readonly AreaName[]>> = {
  transaction: ["transactions", "home", "ledger", "wallets", "reviews", "cases"],
  payment: ["transactions", "wallets", "ledger", "home"],
  wallet: ["wallets", "customers", "ledger"],
  customer: ["customers", "home"],
  requirement: ["customers", "reviews", "home"],
  loan: ["loans", "customers", "home"],
  investment: ["investments", "customers", "home"],
  webhook_endpoint: ["webhooks"],
  agent: ["wallets", "home"],
  agent_settlement: ["wallets", "home"],
  settlement: ["books", "ledger", "home"],
  partner: ["books", "home"],
  approval: [
    "approvals",
    "home",
    "transactions",
    "customers",
    "loans",
    "reviews",
    "cases",
    "screenings",
    "staff",
    "corridors",
    "policy",
    "organisation",
    "wallets",
    "plugins",
    "books",
    "ledger",
  ],
};

// Some things are told by no event, such as what is decided about a person.
const untoldMs = 60_000;
// What is approved is carried out a moment behind the decision, which alone is told.
const outcomesMs = [2_000, 8_000, 20_000];
// Events come in bursts: what is stale is read once for all of a moment's.
const gatherMs = 150;
const reconnectMs = 3_000;

export type LiveState = "live" | "polling";

/**
 * Reads the organisation's events for as long as somebody is signed in, and has what they concern
 * read anew. Asks for everything each 15 s while there is no stream, or for a role that has none,
 * and each minute beside one.
 */
export function useLive(): LiveState {
  const user = useUser();
  const hasStream = mayCall(user, "streamEvents");
  const [state, setState] = useState<LiveState>(hasStream ? "live" : "polling");

  useEffect(() => {
    if (!hasStream) return;
    const ending = new AbortController();
    void follow(ending.signal, setState);
    return () => ending.abort();
  }, [hasStream, user.id]);

  useEffect(() => {
    const everyMs = state === "live" ? untoldMs : pollMs;
    const timer = setInterval(() => void invalidate([...new Set(Object.values(stales).flat())]), everyMs);
    return () => clearInterval(timer);
  }, [state]);

  return state;
}

async function follow(signal: AbortSignal, tell: (state: LiveState) => void): Promise<void> {
  const gathered = gather();
  while (!signal.aborted) {
    try {
      const events = api.events.stream({}, { signal });
      // The first read connects; it ends with an event, or never.
      const first = events.next();
      const opened = setTimeout(() => tell("live"), 1_000);
      void first.catch(() => clearTimeout(opened));
      gathered(Object.keys(stales));
      for (let next = await first; !next.done; next = await events.next()) {
        tell("live");
        const { type } = next.value;
        gathered([type.split(".")[0] ?? ""]);
        if (type === "approval.decided") readOutcomes(() => gathered(["approval"]), signal);
      }
    } catch (error) {
      if (signal.aborted) return;
      tell("polling");
      if (error instanceof ApiError && error.status === 403) return;
    }
    await new Promise((resolve) => void setTimeout(resolve, reconnectMs));
  }
}

function readOutcomes(read: () => void, signal: AbortSignal): void {
  for (const ms of outcomesMs) setTimeout(() => signal.aborted || read(), ms);
}

function gather(): (kinds: readonly string[]) => void {
  const waiting = new Set<AreaName>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (kinds) => {
    for (const area of kinds.flatMap((kind) => stales[kind] ?? [])) waiting.add(area);
    timer ??= setTimeout(() => {
      timer = undefined;
      void invalidate([...waiting]);
      waiting.clear();
    }, gatherMs);
  };
}
