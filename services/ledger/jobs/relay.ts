import type { PublisherDeps } from "../../platform/events/publisher.js";
import { startServiceRelays } from "../../platform/events/relays.js";
import type { Outbox, Relay, RowHandler } from "../../kernel/outbox/index.js";

export interface LedgerRelayDeps {
  outbox: Outbox;
  /** Undefined where nobody said where it is. */
  events: PublisherDeps["events"];
  pollMs?: number | undefined;
}

/** Drives on what was cut off, and tells events. */
export function startLedgerRelay({ outbox, events, pollMs }: LedgerRelayDeps): Relay {
  const handlers: Record<string, RowHandler> = {};
  return startServiceRelays({ outbox, events, handlers, concurrency: 8, pollMs });
}
