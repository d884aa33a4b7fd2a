import type { Call } from "../../shared/grpc/context.js";
import { Refusal } from "../../shared/refusal.js";
import type { Application } from "../domain/application.js";
import { plainWeek } from "../domain/calendar.js";
import { disbursementFeeOf, offerOf, termsOf, type Product } from "../domain/product.js";
import type { TenantStore } from "../store/index.js";
import { applicationToWire } from "../wire/loans.js";
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

/** The version of the product that an application was made by. */
export async function productOf(
  tenant: TenantStore,
  { productId, productVersion }: Pick<Application, "productId" | "productVersion">,
): Promise<Product> {
  const product = await tenant.findProductVersion(productId, productVersion);
  if (product === undefined) throw new Error(`product ${productId} ${productVersion} is not there`);
  return product;
}

/** An application with its offer, as it is answered. */
export async function applicationAnswer(tenant: TenantStore, application: Application) {
  const product = await productOf(tenant, application);
  const { asked } = application;
  const terms = termsOf(product, asked, (await tenant.findCalendar()) ?? plainWeek);
  return applicationToWire(application, product, offerOf(terms, disbursementFeeOf(product, asked.principalMinor)));
}
