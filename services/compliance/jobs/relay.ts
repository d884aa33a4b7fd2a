import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import type { RemittanceServiceDefinition } from "../../../proto/gen/remittance/v1/remittance.js";
import type { PublisherDeps } from "../../platform/events/publisher.js";
import { startServiceRelays } from "../../platform/events/relays.js";
import type { Client } from "../../kernel/grpc/client.js";
import { laterWhileBusy, type Relay, type RowHandler } from "../../kernel/outbox/index.js";
import { Refusal } from "../../kernel/refusal.js";
import type { Checks } from "../decisions/checks/index.js";
import type { WaitsFor } from "../decisions/domain/waits-for.js";
import type { CaseStore } from "../cases/store/cases.js";
import type { Rescreen } from "../screening/engine/rescreen.js";
import type { TextCipher } from "../screening/store/screening-cipher.js";
import type { ScreeningSubjectStore } from "../screening/store/screening-subjects.js";
import { rowKinds } from "../common/store/outbox-rows.js";
import { blockJobs, resumeHeldPayouts, type BlockJobDeps } from "../decisions/jobs/blocks.js";
import { caseJoins } from "../cases/jobs/case-joins.js";
import { approvalWithdrawals, decisionNotifications, statusNotifications } from "../decisions/jobs/notifications.js";
import { identityChecks, type IdentityCheckDeps } from "../decisions/jobs/identity-checks.js";
import { rescreening } from "../screening/jobs/rescreening.js";
import { policyReconsidering } from "../decisions/jobs/policy-reconsidering.js";
import { verificationMessages, type MessageDeps } from "../decisions/jobs/verification-messages.js";

type Remittance = Pick<
  Client<RemittanceServiceDefinition>,
  "decideTransaction" | "blockTransactions" | "releaseBlockedTransactions" | "resumeHeldPayouts"
>;

export interface RelayDeps
  extends
    MessageDeps,
    Omit<BlockJobDeps, "identity" | "remittance" | "settle">,
    Pick<IdentityCheckDeps, "customers" | "partners"> {
  checks: Checks;
  cases: CaseStore;
  identity: Pick<Client<IdentityServiceDefinition>, "noteCustomerStatus" | "withdrawApproval" | "noteApprovalEffects">;
  /** Opens what rows quote of people. */
  screeningCipher: TextCipher;
  rescreen: Rescreen;
  subjects: ScreeningSubjectStore;
  /** Rows for it wait where it is not set up. */
  remittance: Remittance | undefined;
  /** Undefined where nobody said where it is. */
  events: PublisherDeps["events"];
  pollMs?: number | undefined;
}

/** Carries out the outbox rows that compliance's changes leave. */
export function startComplianceRelay({
  outbox,
  checks,
  cases,
  screeningCipher,
  identity,
  remittance,
  wallet,
  screenings,
  times,
  pollMs,
  rescreen,
  subjects,
  events,
  customers,
  partners,
  ...messages
}: RelayDeps): Relay {
  const reconsider =
    (waitsFor: WaitsFor): RowHandler =>
    async (row, { signal }) => {
      const { customerId } = row.payload as { customerId: string };
      const { tenantId, interactionId, actor } = row;
      const origin = { tenantId, interactionId, actor };
      await checks.reconsider(origin, customerId, { tenantId, interactionId, signal }, waitsFor);
    };
  const away: RowHandler = () => Promise.reject(new Refusal("UNAVAILABLE", "REMITTANCE_ADDRESS is not set"));
  return startServiceRelays({
    outbox,
    events,
    handlers: {
      ...(remittance === undefined ? { [rowKinds.decideTransaction]: away } : decisionNotifications(remittance)),
      ...statusNotifications(identity),
      ...approvalWithdrawals(identity),
      ...laterWhileBusy(verificationMessages(messages)),
      ...caseJoins({ store: messages.store, cases, cipher: screeningCipher }),
      ...identityChecks({ ...messages, customers, partners, screeningCipher, outbox }),
      ...rescreening({ subjects, rescreen, log: outbox.log }),
      ...blockJobs({
        store: messages.store,
        clock: messages.clock,
        settle: checks.settle,
        screenings,
        outbox,
        times,
        identity,
        remittance,
        wallet,
      }),
      ...policyReconsidering({ store: messages.store, checks, outbox }),
      [rowKinds.resumePayouts]: (row, context) => resumeHeldPayouts(remittance, row, context),
      [rowKinds.reconsider]: reconsider("DOCUMENTS"),
      async [rowKinds.reconsiderScreened](row, context) {
        await reconsider("SCREENING")(row, context);
        await resumeHeldPayouts(remittance, row, context);
      },
    },
    concurrency: 32,
    pollMs,
  });
}
