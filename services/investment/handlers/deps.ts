import type { AmountCeilings } from "../../platform/preferences/amount-ceilings.js";
import type { BusinessClock } from "../../platform/preferences/business-clock.js";
import type { Idempotency, RunOnce } from "../../kernel/idempotency/index.js";
import type { Outbox } from "../../kernel/outbox/index.js";
import type { Sagas } from "../../kernel/sagas/index.js";
import type { ApplicationSaga } from "../sagas/application.js";
import type { Ledger, Remittance, Wallet } from "../clients/neighbours.js";
import type { People } from "../clients/people.js";
import type { Preferences } from "../clients/preferences.js";
import type { SettlementSaga } from "../sagas/settlement.js";
import type { InvestmentStore } from "../store/index.js";
import type { ProductVersions } from "../store/product-versions.js";
import type { ApplicationsWaiting } from "../jobs/awaiting-compliance.js";

/** What the rpcs of investment work with. */
export interface InvestmentDeps {
  store: InvestmentStore;
  sagas: Sagas;
  applications: ApplicationSaga;
  applicationsWaiting: Pick<ApplicationsWaiting, "withdraw">;
  settlements: SettlementSaga;
  versions: ProductVersions;
  idempotency: Idempotency;
  runOnce: RunOnce;
  outbox: Outbox;
  people: People;
  preferences: Preferences;
  ceilings: AmountCeilings;
  businessClock: BusinessClock;
  wallet: Pick<Wallet, "getWalletAccount">;
  remittance: Pick<Remittance, "getExchangeRate">;
  ledger: Pick<Ledger, "getAccounts">;
}
