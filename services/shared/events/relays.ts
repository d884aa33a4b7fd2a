import { showingBugs, startRelays, type Relay, type RelayOptions } from "../outbox/index.js";
import { createEventPublisher, type PublisherDeps } from "./publisher.js";
import { publishKind } from "./row.js";

// Events may be away for days: its return, not an operator, is what its rows wait for.
const maxAttemptsToTell = 1_000_000;

/**
 * The relays of a service that tells events: one tells them, the other does the rows of `handlers`,
 * which never wait behind them. A row that tells an event is not parked while events is away.
 */
export function startServiceRelays({
  events,
  handlers,
  ...options
}: Omit<RelayOptions, "kinds" | "maxAttemptsOf"> & PublisherDeps): Relay {
  const publisher = createEventPublisher({ events });
  return startRelays([publishKind], {
    ...options,
    handlers: { ...handlers, [publishKind]: showingBugs(publisher[publishKind]) },
    maxAttemptsOf: { [publishKind]: maxAttemptsToTell },
  });
}
