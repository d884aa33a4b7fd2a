import { v7 as uuidv7 } from "uuid";
import type { LendingServiceDefinition } from "../../../proto/gen/lending/v1/lending.js";
import { RescheduleLoanRequest, RescheduleLoanResponse } from "../../../proto/gen/lending/v1/servicing.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { invalidInput } from "../../kernel/refusal.js";
import { plainWeek } from "../domain/calendar.js";
import { checkActive, checkUnclaimed, viewOf } from "../domain/loan.js";
import { maxDaysToFirstDue } from "../domain/product.js";
import { checkRepaying } from "../domain/repaying.js";
import { rescheduledTerms } from "../domain/terms.js";
import { dateOf, percentOf, wholeOf } from "../wire/parse.js";
import { reasonFromWire } from "../../kernel/text/reason.js";
import { createLoanChanges } from "./change-loan.js";
import type { LendingDeps } from "./deps.js";

/** What is left of a loan is paid by a new schedule. */
export function rescheduleHandlers(deps: LendingDeps) {
  const { store } = deps;
  const changes = createLoanChanges(deps);
  return {
    async rescheduleLoan(request, call) {
      reasonFromWire(request.reason);
      const instalments = wholeOf(request.instalments, "instalments", 1, 600);
      const firstDueOn = dateOf(request.firstDueOn, "firstDueOn");
      const given = request.annualRate === "" ? undefined : percentOf(request.annualRate, "annualRate", 1_000);
      const calendar = (await store.forTenant(call.tenantId).findCalendar()) ?? plainWeek;
      return changes.change({
        call,
        rpc: "RescheduleLoan",
        request,
        requestType: RescheduleLoanRequest,
        response: RescheduleLoanResponse,
        async apply(loan, today, session) {
          checkActive(loan);
          checkUnclaimed(loan);
          const latest = Temporal.PlainDate.from(today).add({ days: maxDaysToFirstDue }).toString();
          if (firstDueOn <= today || firstDueOn > latest)
            throw invalidInput("firstDueOn", `must be after ${today} and at most ${latest}`);
          const annualRate = given ?? loan.terms.annualRate;
          const terms = { instalments, firstDueOn, annualRate, calendar };
          const principalMinor = viewOf(loan, today).outstanding.PRINCIPAL;
          if (principalMinor > 0n) checkRepaying(rescheduledTerms(loan.terms, terms, today, principalMinor));
          const event = { type: "RESCHEDULE" as const, id: uuidv7(), on: today, terms };
          return changes.record(call, loan, event, "loan_reschedule", today, session);
        },
      });
    },
  } satisfies Partial<Handlers<LendingServiceDefinition>>;
}
