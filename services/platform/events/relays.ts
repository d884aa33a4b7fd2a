import { startRelays, type Relay, type RelayOptions } from "../../kernel/outbox/index.js";
import { createEventPublisher, type PublisherDeps } from "./publisher.js";
import { publishKind } from "./row.js";

/**
 * The relays of a service that tells events: one tells them, the other does the rows of `handlers`,
 * which never wait behind them. A row that tells an event is not parked while events is away.
 */
export function startServiceRelays({
  events,
  handlers,
  ...options
}: Omit<RelayOptions, "kinds" | "maxAttemptsOf"> & PublisherDeps): Relay {
  return startRelays([publishKind], { ...options, handlers: { ...handlers, ...createEventPublisher({ events }) } });
}
