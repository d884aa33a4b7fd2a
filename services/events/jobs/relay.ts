import { laterWhileBusy, longestPauseMs, startRelay, type Outbox, type Relay } from "../../kernel/outbox/index.js";
import { cleanUps } from "./clean-up.js";
import { messageRows, type SendingDeps } from "../notifications/sending.js";
import { managerMessages } from "./manager-messages.js";
import { recoveries } from "./recovery.js";
import { rowKinds } from "../row-kinds.js";

// Whoever delivers messages may be away for a week; afterwards an operator decides. What customers
// are told ends before, when it is no news any more.
const manyAttempts = (7 * 24 * 3_600_000) / longestPauseMs;

type RelayDeps = SendingDeps &
  Omit<Parameters<typeof recoveries>[0], "outbox"> & { outbox: Outbox; pollMs?: number | undefined };

/**
 * Carries out the outbox rows of events. A neighbour's return, not an
 * operator, is what they wait for.
 */
export function startEventsRelay({ outbox, pollMs, ...deps }: RelayDeps): Relay {
  return startRelay({
    outbox,
    handlers: {
      ...laterWhileBusy({ ...messageRows(deps), ...managerMessages(deps) }),
      ...recoveries({ ...deps, outbox }),
      ...cleanUps(deps),
    },
    // Most rows wait for whoever delivers messages.
    concurrency: 32,
    maxAttemptsOf: { [rowKinds.tellCustomer]: manyAttempts, [rowKinds.tellManagers]: manyAttempts },
    // A part of a recovery is some thousand events.
    maxRunMs: 600_000,
    pollMs,
  });
}
