import { createKeyedMutex } from "../../../kernel/batching/keyed-mutex.js";
import type { BusinessClock } from "../../../platform/preferences/business-clock.js";
import type { Outbox } from "../../../kernel/outbox/index.js";
import type { Preferences } from "../clients/preferences.js";
import type { People } from "../clients/people.js";
import type { ScreeningRuns } from "../../screening/engine/runs.js";
import type { ComplianceStore } from "../store/index.js";
import type { PolicyVersions } from "../store/policy-versions.js";
import { createAmend } from "./amend.js";
import { createCheck } from "./check.js";
import type { Customers } from "./customers.js";
import { createDecide } from "./decide.js";
import { createHistoryCache } from "./history-cache.js";
import { createNoteOnCustomer } from "./note-on-customer.js";
import { createPreview } from "./preview.js";
import { createReconsider } from "./reconsider.js";
import { createReview } from "./review.js";
import { createSettle } from "./settle.js";
import type { TellAnewDeps } from "./tell-anew.js";
import { createTerms } from "./terms.js";
import { createWhenCurrent } from "./when-current.js";

export interface ChecksDeps {
  store: ComplianceStore;
  policies: PolicyVersions;
  people: People;
  customers: Customers;
  outbox: Outbox;
  times: BusinessClock;
  preferences: Preferences;
  screening: ScreeningRuns;
  remittance?: TellAnewDeps["remittance"];
}

export type Checks = ReturnType<typeof createChecks>;

/** Decisions on transactions, from the first check to the end of their reservations. */
export function createChecks(deps: ChecksDeps) {
  const histories = createHistoryCache();
  const customerMutex = createKeyedMutex();
  const whenCurrent = createWhenCurrent(deps);
  const noteOnCustomer = createNoteOnCustomer(deps);
  const decide = createDecide({ ...deps, histories, noteOnCustomer });
  const parts = { ...deps, times: createTerms(deps), histories, whenCurrent, noteOnCustomer, decide, customerMutex };
  return {
    check: createCheck(parts),
    preview: createPreview(parts),
    decideReview: createReview(parts),
    ...createReconsider(parts),
    ...createAmend(parts),
    ...createSettle(parts),
  };
}
