import type { Takers } from "../../platform/banks/partners-of-kind.js";
import type { BusinessClock } from "../../platform/preferences/business-clock.js";
import type { MoneyOut } from "../clients/money-out.js";
import { pastFirstDue, type Application } from "../domain/application.js";
import type { LendingStore } from "../store/index.js";

export interface DisbursementDecisionDeps {
  store: LendingStore;
  moneyOut: Pick<MoneyOut, "check">;
  banks: Pick<Takers, "takerOf">;
  businessClock: BusinessClock;
}

/**
 * Decides once, before anything goes out, whether an approved loan is paid out and on which day it
 * begins, and which bank pays it: whoever drives it on begins it on the same day and asks that
 * bank, whatever the tenant installs meanwhile. Gives undefined where nothing is to be paid.
 */
export function createDisbursementDecision({ store, moneyOut, banks, businessClock }: DisbursementDecisionDeps) {
  return async function decideOnce(
    tenantId: string,
    interactionId: string,
    loanApplicationId: string,
  ): Promise<Application | undefined> {
    const tenant = store.forTenant(tenantId);
    const seen = await tenant.findApplication(loanApplicationId);
    if (seen?.disbursement?.status !== "PAYING") return undefined;
    if (seen.disbursement.startsOn !== undefined) return seen;
    const today = (await businessClock.forTenant(tenantId)).today().toString();
    const product = await tenant.findProductVersion(seen.productId, seen.productVersion);
    if (product === undefined) throw new Error("an application has a product");
    const { payTo, customerId } = seen;
    if (payTo === undefined) throw new Error("an accepted application says where its money goes");
    const target = { tenantId, interactionId, customerId, currency: product.currency, payTo };
    const refusal = pastFirstDue(seen, today) ?? (await moneyOut.check(target));
    const partner = payTo.kind === "BANK" ? await banks.takerOf(tenantId, interactionId) : undefined;
    const decided = await store.transaction<Application | "over">(
      async (session) => {
        const application = await tenant.findApplication(loanApplicationId, session);
        if (application?.disbursement?.status !== "PAYING") return "over";
        if (application.disbursement.startsOn !== undefined) return application;
        const version = application.version + 1;
        if (refusal !== undefined) {
          const disbursement = { ...application.disbursement, status: "FAILED" as const, failure: refusal.message };
          await tenant.replaceApplication({ ...application, disbursement, version }, session);
          return "over";
        }
        const disbursement = {
          ...application.disbursement,
          startsOn: today,
          ...(partner !== undefined && { partner }),
        };
        const changed = { ...application, disbursement, version };
        await tenant.replaceApplication(changed, session);
        return changed;
      },
      async () => undefined,
    );
    return decided === "over" ? undefined : decided;
  };
}
