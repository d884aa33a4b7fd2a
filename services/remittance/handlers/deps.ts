import type { ComplianceServiceDefinition } from "../../../proto/gen/compliance/v1/compliance.js";
import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import type { LedgerServiceDefinition } from "../../../proto/gen/ledger/v1/ledger.js";
import type { Approvals } from "../../platform/approvals/approvals.js";
import type { AmountCeilings } from "../../platform/preferences/amount-ceilings.js";
import type { BusinessClock } from "../../platform/preferences/business-clock.js";
import type { Clock } from "../../kernel/time/clock.js";
import type { Client } from "../../kernel/grpc/client.js";
import type { Logger } from "../../kernel/process/log.js";
import type { Idempotency, RunOnce } from "../../kernel/idempotency/index.js";
import type { Outbox } from "../../kernel/outbox/index.js";
import type { CreatedAccounts } from "../clients/ledger-accounts.js";
import type { PayoutConnector } from "../clients/payout-connector.js";
import type { PayoutHolds } from "../clients/payout-holds.js";
import type { PayoutPartners } from "../clients/payout-partners.js";
import type { People } from "../clients/people.js";
import type { TransparencyFactsOf } from "../sagas/transparency-facts.js";
import type { KnownTransparencyProfiles } from "../clients/transparency-profiles.js";
import type { Creation } from "../sagas/creation.js";
import type { PayoutSteps } from "../sagas/payout-steps.js";
import type { PriceBooks } from "../store/price-books.js";
import type { RemittanceStore } from "../store/index.js";
import type { PayeeDesk } from "./payee-desk.js";
import type { OneOfFew } from "./report-turns.js";

/** What the rpcs of remittance work with. */
export interface RemittanceDeps {
  store: RemittanceStore;
  people: People;
  /** What a sender pays with. */
  identity: Pick<Client<IdentityServiceDefinition>, "getCustomer" | "verifyCredentials">;
  prices: PriceBooks;
  /** Kept for a second. */
  profiles: KnownTransparencyProfiles;
  transparencyFacts: TransparencyFactsOf;
  compliance: Client<ComplianceServiceDefinition>;
  ledger: Pick<
    Client<LedgerServiceDefinition>,
    "createAccounts" | "getTransfer" | "listAccounts" | "listEntriesByKeys"
  >;
  ceilings: AmountCeilings;
  idempotency: Idempotency;
  runOnce: RunOnce;
  outbox: Outbox;
  /** Business time of the call's tenant where rules go by it, real time elsewhere. */
  clock: Clock;
  /** When work is due. */
  realClock: Clock;
  /** Business time of tenants: quotes, expiry, cancelling, validity and reports go by it. */
  times: BusinessClock;
  approvals: Approvals;
  /** Of call-over, analytics and reports together. */
  oneOfFew: OneOfFew;
  accounts: CreatedAccounts;
  creation: Creation;
  steps: PayoutSteps;
  holds: PayoutHolds;
  payees: PayeeDesk;
  connector: PayoutConnector;
  partners: Pick<PayoutPartners, "ofTenant" | "checkTexts" | "checkTakesAmendments">;
  log: Pick<Logger, "warn">;
  /** Undefined where the tenant has no partner that could call. */
  callbackSecretOf: (tenantId: string) => string | undefined;
  quoteForMs?: number;
}
