import type { Clock } from "../../kernel/time/clock.js";
import type { RunOnce } from "../../kernel/idempotency/index.js";
import type { Outbox } from "../../kernel/outbox/index.js";
import type { Resolve } from "../../platform/partners/addresses.js";
import type { AllowedOrigins } from "../../platform/partners/address.js";
import type { Organisations } from "../clients/organisations.js";
import type { Arrivals } from "../publishing/arrivals.js";
import type { Publishing } from "../publishing/publish.js";
import type { EventsStore } from "../store/index.js";

/** What the rpcs of events work with. */
export interface EventsDeps {
  store: EventsStore;
  publishing: Publishing;
  arrivals: Arrivals;
  runOnce: RunOnce;
  outbox: Outbox;
  clock: Clock;
  organisations: Organisations;
  resolve: Resolve;
  allowedOf(tenantId: string): AllowedOrigins;
  /** Looks for deliveries that are due. */
  wake(): void;
}
