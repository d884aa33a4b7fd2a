import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { requireUser } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { dayOf } from "../../kernel/time/calendar-day.js";
import { kindsOf, parseSought } from "../domain/customer-find.js";
import { rankFound } from "../domain/customer-match.js";
import { foundToWire } from "../wire/people.js";
import { auditEntryOf } from "./audit-entries.js";
import type { HandlerDeps } from "./deps.js";
import { tenantOf } from "./tenant-of.js";

/** The most that one search answers: whoever is not among them is asked for more of themselves. */
const mostFound = 20;

/** People are found at the desk by what they say of themselves. */
export function customerFindHandlers({ store, clock }: HandlerDeps) {
  return {
    async findCustomers(request, call) {
      const user = requireUser(call);
      const { preference } = await tenantOf(store, call.tenantId);
      const now = clock.now();
      const sought = parseSought(request, dayOf(now), preference.countries);
      const ofTenant = store.forTenant(call.tenantId);
      const agentId = user.role === "AGENT" && preference.agentScope !== "TENANT" ? user.userId : undefined;
      const ranked = rankFound(sought, await ofTenant.listCandidates(sought, agentId));
      const found = ranked.slice(0, mostFound);
      // Nobody is shown to whom it could not be noted that they were.
      await ofTenant.noteAudit(
        auditEntryOf(call, {
          at: now,
          action: "customer.find",
          subject: user.userId,
          reason: `by ${kindsOf(sought).join(", ")}`,
          detail: `${found.length} found`,
        }),
      );
      return { customers: found.map((one) => foundToWire(one, user.role)), isCut: ranked.length > mostFound };
    },
  } satisfies Partial<Handlers<IdentityServiceDefinition>>;
}
