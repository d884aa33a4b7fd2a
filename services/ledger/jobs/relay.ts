import type { PublisherDeps } from "../../platform/events/publisher.js";
import { startServiceRelays } from "../../platform/events/relays.js";
import type { Outbox, Relay, RowHandler } from "../../kernel/outbox/index.js";
import { rowKinds } from "../row-kinds.js";
import type { Settlements } from "../sagas/index.js";

export interface LedgerRelayDeps {
  settlements: Settlements;
  outbox: Outbox;
  /** Undefined where nobody said where it is. */
  events: PublisherDeps["events"];
  pollMs?: number | undefined;
}

/** Drives on what was cut off, and tells events. */
export function startLedgerRelay({ outbox, events, pollMs, settlements }: LedgerRelayDeps): Relay {
  const handlers: Record<string, RowHandler> = {
    [rowKinds.gatherSettlementLines]: settlements.gather,
    [rowKinds.postSettlement]: settlements.post,
    [rowKinds.reverseSettlement]: settlements.reverse,
    [rowKinds.freeSettlementLines]: settlements.free,
    [rowKinds.forgetUnaskedSettlement]: settlements.forget,
  };
  return startServiceRelays({ outbox, events, handlers, concurrency: 8, pollMs });
}
