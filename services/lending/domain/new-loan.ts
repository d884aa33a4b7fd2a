import { slotOf, type Loan } from "./loan.js";
import { disbursementFeeOf, offerOf, type Product } from "./product.js";
import { referenceOf } from "./reference.js";
import type { LoanTerms } from "./terms.js";

/**
 * A loan of a product by these terms, before it is paid out; its schedule begins anew on the day it
 * is.
 */
export function newLoan(
  product: Product,
  terms: LoanTerms,
  of: Pick<Loan, "accountId" | "loanApplicationId" | "customerId" | "createdAt">,
): Loan {
  const { cost } = offerOf(terms, disbursementFeeOf(product, terms.principalMinor));
  return {
    ...of,
    productId: product.productId,
    productVersion: product.version,
    productName: product.name,
    currency: product.currency,
    terms,
    thirdPartyCollection: product.thirdPartyCollection,
    bucketStarts: product.bucketStarts,
    reference: referenceOf(of.accountId),
    apr: cost?.apr ?? "",
    effectiveRate: cost?.effectiveRate ?? "",
    status: "PENDING_DISBURSEMENT",
    disbursement: [],
    events: [],
    pauses: [],
    pendingMinor: 0n,
    booked: {},
    bookedAccruedMinor: 0n,
    accrual: { through: "", accruedMinor: 0n },
    slot: slotOf(of.accountId),
    version: 1,
  };
}
