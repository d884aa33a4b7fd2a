import type { PublisherDeps } from "../../platform/events/publisher.js";
import { startServiceRelays } from "../../platform/events/relays.js";
import type { Outbox, Relay, RowHandler } from "../../kernel/outbox/index.js";
import { rowKinds } from "../row-kinds.js";
import { approvalWithdrawals, type WithdrawingIdentity } from "./withdrawals.js";
import type { Sagas } from "../sagas/index.js";

export interface LedgerRelayDeps {
  identity: WithdrawingIdentity;
  sagas: Sagas;
  outbox: Outbox;
  /** Undefined where nobody said where it is. */
  events: PublisherDeps["events"];
  pollMs?: number | undefined;
  buildPackage: RowHandler;
}

// A package of millions of transfers takes minutes.
const longestRunMs = 900_000;

/** Drives on what was cut off, and tells events. */
export function startLedgerRelay({ outbox, events, identity, pollMs, sagas, buildPackage }: LedgerRelayDeps): Relay {
  const { settlements, manualJournals } = sagas;
  const handlers: Record<string, RowHandler> = {
    [rowKinds.gatherSettlementLines]: settlements.gather,
    [rowKinds.postSettlement]: settlements.post,
    [rowKinds.reverseSettlement]: settlements.reverse,
    [rowKinds.freeSettlementLines]: settlements.free,
    [rowKinds.buildPackage]: buildPackage,
    [rowKinds.forgetUnaskedSettlement]: settlements.forget,
    [rowKinds.postManualJournal]: manualJournals.drive,
    ...approvalWithdrawals(identity),
  };
  return startServiceRelays({ outbox, events, handlers, concurrency: 8, maxRunMs: longestRunMs, pollMs });
}
