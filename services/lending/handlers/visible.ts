import type { Call } from "../../kernel/grpc/context.js";
import { Refusal } from "../../kernel/refusal.js";
import type { Application } from "../domain/application.js";
import type { Loan } from "../domain/loan.js";
import type { LendingDeps } from "./deps.js";

/**
 * An application that the caller may see. Refuses NOT_FOUND, and FORBIDDEN for another customer's
 * of the tenant.
 */
export async function visibleApplication(
  { store, people }: Pick<LendingDeps, "store" | "people">,
  loanApplicationId: string,
  call: Call,
): Promise<Application> {
  const application = await store.forTenant(call.tenantId).findApplication(loanApplicationId);
  if (application === undefined) throw notFound();
  await people.assertMaySee(application.customerId, call);
  return application;
}

/** The answer to who may not know that there is one, as to who asks for none. */
export function notFound(): Refusal {
  return new Refusal("NOT_FOUND", "no such loan application");
}

/**
 * A loan by its application, for whom it concerns. Refuses LOAN_NOT_FOUND, FORBIDDEN for another
 * customer's of the tenant.
 */
export async function visibleLoan(
  { store, people }: Pick<LendingDeps, "store" | "people">,
  loanApplicationId: string,
  call: Call,
): Promise<Loan> {
  const tenant = store.forTenant(call.tenantId);
  // A loan that came without an application is known by its own id.
  const loan = (await tenant.findLoanByApplication(loanApplicationId)) ?? (await tenant.findLoan(loanApplicationId));
  if (loan === undefined) throw new Refusal("LOAN_NOT_FOUND", "no such loan");
  await people.assertMaySee(loan.customerId, call);
  return loan;
}
