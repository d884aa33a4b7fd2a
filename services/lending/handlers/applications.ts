import {
  DecideLoanApplicationRequest,
  DecideLoanApplicationResponse,
  WithdrawLoanApplicationRequest,
  WithdrawLoanApplicationResponse,
  type LendingServiceDefinition,
} from "../../../proto/gen/lending/v1/lending.js";
import { outgoing } from "../../kernel/grpc/client.js";
import type { Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { money, moneyToWire } from "../../kernel/money.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { decide, withdraw } from "../domain/application.js";
import type { LendingDeps } from "./deps.js";
import { approvedRow, causeOf } from "../wire/event-rows.js";
import { notFound, visibleApplication } from "./visible.js";
import { applicationAnswer, productOf } from "../wire/application-answer.js";
import { reasonFromWire } from "../../kernel/text/reason.js";

const pageSize = 50;
const statuses = ["SUBMITTED", "APPROVED", "REJECTED", "WITHDRAWN"];

export function applicationHandlers(deps: LendingDeps) {
  const { store, runOnce, people, clock } = deps;

  /** Refuses COMPLIANCE_REJECTED unless compliance has approved the application. */
  async function checkApproved(loanApplicationId: string, call: Call): Promise<void> {
    const seen = await visibleApplication(deps, loanApplicationId, call);
    const { currency } = await productOf(store.forTenant(call.tenantId), seen);
    const amount = moneyToWire(money(seen.asked.principalMinor, currency));
    const { customerId } = seen;
    const check = await deps.compliance.checkCustomerAction(
      { actionId: loanApplicationId, customerId, kind: "LOAN_APPLICATION", amount },
      outgoing(call),
    );
    if (check.decision !== "DECISION_APPROVED") {
      throw new Refusal("COMPLIANCE_REJECTED", "compliance has not approved this application");
    }
  }

  return {
    async getLoanApplication({ loanApplicationId }, call) {
      const application = await visibleApplication(deps, loanApplicationId, call);
      return { application: await applicationAnswer(store.forTenant(call.tenantId), application) };
    },

    async listLoanApplications({ status, customerId, pageToken }, call) {
      if (status !== "" && !statuses.includes(status))
        throw invalidInput("status", `must be one of ${statuses.join(", ")}`);
      const mine = await people.visible(call);
      const customerIds =
        customerId === "" ? mine : [customerId].filter((id) => mine === undefined || mine.includes(id));
      const tenant = store.forTenant(call.tenantId);
      const found = await tenant.listApplications(
        {
          ...(status === "" ? {} : { status }),
          ...(customerIds === undefined ? {} : { customerIds }),
          ...(pageToken === "" ? {} : { before: pageToken }),
        },
        pageSize,
      );
      return {
        applications: await Promise.all(found.map((application) => applicationAnswer(tenant, application))),
        nextPageToken: found.length < pageSize ? "" : (found.at(-1)?.loanApplicationId ?? ""),
      };
    },

    async decideLoanApplication(request, call) {
      const { loanApplicationId, approve } = request;
      const reason = reasonFromWire(request.reason);
      const tenant = store.forTenant(call.tenantId);
      return runOnce({
        call,
        operation: "lending.v1.DecideLoanApplication",
        request,
        requestType: DecideLoanApplicationRequest,
        response: DecideLoanApplicationResponse,
        async prepare() {
          if (approve) await checkApproved(loanApplicationId, call);
          else await visibleApplication(deps, loanApplicationId, call);
        },
        async work(session) {
          const now = await tenant.findApplication(loanApplicationId, session);
          if (now === undefined) throw notFound();
          const decided = decide(now, approve, reason, clock.now());
          await tenant.replaceApplication(decided, session);
          const application = await applicationAnswer(tenant, decided);
          if (approve) await deps.outbox.add(approvedRow(causeOf(call), application, clock.now()), session);
          return { application };
        },
      });
    },

    async withdrawLoanApplication(request, call) {
      const { loanApplicationId } = request;
      const tenant = store.forTenant(call.tenantId);
      return runOnce({
        call,
        operation: "lending.v1.WithdrawLoanApplication",
        request,
        requestType: WithdrawLoanApplicationRequest,
        response: WithdrawLoanApplicationResponse,
        prepare: () => visibleApplication(deps, loanApplicationId, call),
        async work(session) {
          const now = await tenant.findApplication(loanApplicationId, session);
          if (now === undefined) throw notFound();
          const withdrawn = withdraw(now);
          await tenant.replaceApplication(withdrawn, session);
          const loan = now.accountId === undefined ? undefined : await tenant.findLoan(now.accountId, session);
          if (loan !== undefined) {
            await tenant.replaceLoan({ ...loan, status: "CANCELLED", version: loan.version + 1 }, session);
          }
          return { application: await applicationAnswer(tenant, withdrawn) };
        },
      });
    },
  } satisfies Partial<Handlers<LendingServiceDefinition>>;
}
