import {
  WithdrawApplicationRequest,
  WithdrawApplicationResponse,
  type InvestmentServiceDefinition,
} from "../../../proto/gen/investment/v1/investment.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { passing, Refusal } from "../../kernel/refusal.js";
import type { Application } from "../domain/application.js";
import { applicationToWire } from "../wire/applications.js";
import { pageFromWire, uuidFromWire } from "../wire/values.js";
import type { InvestmentDeps } from "./deps.js";

/** Applications as they are now, and those that wait taken back. */
export function applicationHandlers(deps: InvestmentDeps) {
  const { store, runOnce, people, applicationsWaiting, outbox } = deps;

  async function find(id: string, call: Call): Promise<Application> {
    const application = await store.forTenant(call.tenantId).findApplication(uuidFromWire(id, "applicationId"));
    if (application === undefined) throw new Refusal("NOT_FOUND", "no such investment application");
    return application;
  }

  async function toWire(application: Application, call: Call) {
    const customerName = await people.nameOf(application.customerId, call);
    return { application: { ...applicationToWire(application), customerName } };
  }

  return {
    /** Refuses NOT_FOUND, FORBIDDEN. */
    async getApplication({ applicationId }, call) {
      const application = await find(applicationId, call);
      await people.assertMaySee(application.customerId, call);
      return toWire(application, call);
    },

    /** Refuses FORBIDDEN, CUSTOMER_NOT_FOUND. */
    async listApplications(request, call) {
      const page = pageFromWire(request);
      const named = request.customerId === "" ? "" : uuidFromWire(request.customerId, "customerId");
      const customerId = await people.whose(named, call);
      const found = await store.forTenant(call.tenantId).listApplications(customerId, page);
      const customerName = found.length === 0 ? "" : await people.nameOf(customerId, call);
      const last = found.length === page.limit ? found.at(-1) : undefined;
      return {
        applications: found.map((application) => ({ ...applicationToWire(application), customerName })),
        nextCursor: last?.applicationId ?? "",
      };
    },

    /** Refuses NOT_FOUND, FORBIDDEN, and STATE_CONFLICT for what does not wait. */
    async withdrawApplication(request, call) {
      const { userId } = requireUser(call);
      const { tenantId, interactionId } = call;
      const applicationId = uuidFromWire(request.applicationId, "applicationId");
      const { application } = await runOnce({
        operation: "investment.v1.WithdrawApplication",
        request,
        requestType: WithdrawApplicationRequest,
        response: WithdrawApplicationResponse,
        call,
        async work(session) {
          const before = await find(applicationId, call);
          people.assertOwn(before.customerId, call);
          const origin = { tenantId, interactionId, actor: userId };
          if (!(await applicationsWaiting.withdraw(origin, applicationId, session))) {
            const message = "only an application that waits for compliance can be withdrawn";
            // One that has no ending yet goes on by itself: it may wait in a moment.
            if (before.ending === undefined) throw passing("STATE_CONFLICT", message);
            throw new Refusal("STATE_CONFLICT", message);
          }
          const withdrawn = { ...before, isWaiting: false, ending: { status: "WITHDRAWN" as const } };
          return { application: applicationToWire(withdrawn) };
        },
      });
      outbox.wake();
      if (application === undefined) throw new Error("a withdrawal's answer is empty");
      return { application: { ...application, customerName: await people.nameOf(application.customerId, call) } };
    },
  } satisfies Partial<Handlers<InvestmentServiceDefinition>>;
}
