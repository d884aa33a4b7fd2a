import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import type { RemittanceServiceDefinition } from "../../../proto/gen/remittance/v1/remittance.js";
import type { Client } from "../../shared/grpc/client.js";
import { startRelay, type Outbox, type Relay, type RowHandler } from "../../shared/outbox/index.js";
import type { Checks } from "../checks/index.js";
import type { CaseStore } from "../store/cases.js";
import { rowKinds } from "../store/outbox-rows.js";
import { caseJoins } from "./case-joins.js";
import { decisionNotifications, statusNotifications } from "./notifications.js";
import { verificationMessages, type MessageDeps } from "./verification-messages.js";

// A neighbour may be away for hours: its return, not an operator, is what rows wait for.
const maxAttempts = 1_000;
const maxPauseMs = 30_000;

export interface RelayDeps extends MessageDeps {
  outbox: Outbox;
  checks: Checks;
  cases: CaseStore;
  identity: Pick<Client<IdentityServiceDefinition>, "noteCustomerStatus">;
  /** Rows for it wait where it is not set up. */
  remittance: Pick<Client<RemittanceServiceDefinition>, "decideTransaction"> | undefined;
  pollMs?: number;
}

/** Carries out the outbox rows that compliance's changes leave. */
export function startComplianceRelay({
  outbox,
  checks,
  cases,
  identity,
  remittance,
  pollMs,
  ...messages
}: RelayDeps): Relay {
  const reconsider: RowHandler = async (row, { signal }) => {
    const { customerId } = row.payload as { customerId: string };
    const { tenantId, interactionId, actor } = row;
    await checks.reconsider({ tenantId, interactionId, actor }, customerId, { tenantId, interactionId, signal });
  };
  const away: RowHandler = () => Promise.reject(new Error("REMITTANCE_ADDRESS is not set"));
  return startRelay({
    outbox,
    handlers: {
      ...(remittance === undefined ? { [rowKinds.decideTransaction]: away } : decisionNotifications(remittance)),
      ...statusNotifications(identity),
      ...verificationMessages(messages),
      ...caseJoins({ store: messages.store, cases }),
      [rowKinds.reconsider]: reconsider,
    },
    maxAttempts,
    backoff: (attempts) => Math.min(maxPauseMs, 500 * 2 ** Math.min(attempts, 8)) * (1 - Math.random() / 4),
    ...(pollMs !== undefined && { pollMs }),
  });
}
