import type { Application } from "../domain/application.js";
import { plainWeek } from "../domain/calendar.js";
import { disbursementFeeOf, offerOf, termsOf, type Product } from "../domain/product.js";
import type { TenantStore } from "../store/index.js";
import { applicationToWire } from "./loans.js";

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
  const { asked: requested } = application;
  const terms = termsOf(product, requested, (await tenant.findCalendar()) ?? plainWeek);
  return applicationToWire(application, product, offerOf(terms, disbursementFeeOf(product, requested.principalMinor)));
}
