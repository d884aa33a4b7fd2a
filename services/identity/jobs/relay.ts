import type { Connection } from "mongoose";
import type { Clock } from "../../kernel/time/clock.js";
import { startServiceRelays } from "../../platform/events/relays.js";
import { createSecurityMessages } from "../../platform/messages/written.js";
import { laterWhileBusy, type Outbox } from "../../kernel/outbox/index.js";
import type { Neighbours } from "../clients/neighbours.js";
import type { PersonalNotifications } from "../clients/own-plugins.js";
import type { Keyring } from "../credentials/keyring.js";
import type { Revocations } from "../credentials/revocations.js";
import type { Throttle } from "../credentials/throttle.js";
import type { IdentityStore } from "../store/index.js";
import { approvalRows } from "./approvals.js";
import { credentialMailRows } from "./credential-mails.js";
import { erasureRows } from "./erasure.js";
import { factorResetRows } from "./factor-resets.js";
import type { OwnOutcomes } from "./foresee.js";
import { noticeRows } from "./notices.js";
import { personChangeRows } from "./person-changes.js";
import { formerWayRows } from "./plugin-changes.js";
import { sentCodeRows } from "./sent-codes.js";
import { sessionEndingRows } from "./session-endings.js";

export interface IdentityRelayDeps {
  db: Connection;
  store: IdentityStore;
  outbox: Outbox;
  keyring: Keyring;
  revocations: Revocations;
  throttle: Throttle;
  notifications: PersonalNotifications;
  neighbours: Neighbours;
  /** What identity does about approvals that it asked for itself. */
  own: OwnOutcomes;
  clock: Clock;
}

/** Starts what follows from identity's state changes. */
export function startIdentityRelay(deps: IdentityRelayDeps) {
  const { outbox, neighbours } = deps;
  const words = createSecurityMessages(neighbours);
  return startServiceRelays({
    outbox,
    events: neighbours.events,
    concurrency: 32,
    handlers: {
      ...sessionEndingRows(deps),
      ...credentialMailRows({ ...deps, words }),
      // Mails of credentials are not: a reset counts as one of the person's at its first try.
      ...laterWhileBusy({ ...sentCodeRows({ ...deps, words }), ...noticeRows(deps) }),
      ...approvalRows({ ...deps, outcomes: neighbours.outcomes }),
      ...factorResetRows(deps),
      ...formerWayRows(deps),
      ...personChangeRows({ ...deps, compliance: neighbours.compliance }),
      ...erasureRows({ ...deps, keepers: neighbours.keepers }),
    },
  });
}
