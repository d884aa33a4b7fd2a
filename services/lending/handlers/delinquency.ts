import type { LendingServiceDefinition } from "../../../proto/gen/lending/v1/lending.js";
import {
  PauseDelinquencyRequest,
  PauseDelinquencyResponse,
  ResumeDelinquencyRequest,
  ResumeDelinquencyResponse,
} from "../../../proto/gen/lending/v1/servicing.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { checkActive } from "../domain/loan.js";
import { dateOf } from "../wire/parse.js";
import { reasonFromWire } from "../../kernel/text/reason.js";
import { createLoanChanges } from "./change-loan.js";
import type { LendingDeps } from "./deps.js";

/** Times in which a debt does not grow older. */
export function delinquencyHandlers(deps: LendingDeps) {
  const { book } = deps;
  const changes = createLoanChanges(deps);
  return {
    async pauseDelinquency(request, call) {
      reasonFromWire(request.reason);
      const given = request.from === "" ? "" : dateOf(request.from, "from");
      return changes.change({
        call,
        rpc: "PauseDelinquency",
        request,
        requestType: PauseDelinquencyRequest,
        response: PauseDelinquencyResponse,
        async apply(loan, today, session) {
          checkActive(loan);
          const from = given === "" ? today : given;
          const last = loan.pauses.at(-1);
          if (last !== undefined && last.until === undefined)
            throw new Refusal("STATE_CONFLICT", "the loan is paused already");
          if (from > today) throw invalidInput("from", "must not be in the future");
          if (last?.until !== undefined && from < last.until)
            throw invalidInput("from", "must be after the pause before");
          return book.note(call.tenantId, { ...loan, pauses: [...loan.pauses, { from }] }, session);
        },
      });
    },

    async resumeDelinquency(request, call) {
      return changes.change({
        call,
        rpc: "ResumeDelinquency",
        request,
        requestType: ResumeDelinquencyRequest,
        response: ResumeDelinquencyResponse,
        async apply(loan, today, session) {
          const last = loan.pauses.at(-1);
          if (last === undefined || last.until !== undefined)
            throw new Refusal("STATE_CONFLICT", "the loan is not paused");
          const pauses = [...loan.pauses.slice(0, -1), { ...last, until: today }];
          return book.note(call.tenantId, { ...loan, pauses }, session);
        },
      });
    },
  } satisfies Partial<Handlers<LendingServiceDefinition>>;
}
