import type { Money } from "../../shared/money.js";
import { Refusal } from "../../shared/refusal.js";
import type { KeptRefusal, SagaOrigin } from "./saga.js";
import type { Product } from "./product.js";

/** A wish to buy units, from its first record to its one answer. */
export interface Application extends SagaOrigin {
  readonly applicationId: string;
  readonly productId: string;
  /** Of the product when it was asked for; the holding keeps it. */
  readonly productVersion: number;
  readonly productName: string;
  readonly customerId: string;
  readonly customerName: string;
  readonly walletAccountId: string;
  readonly units: bigint;
  readonly unitPriceMinor: bigint;
  readonly total: Money;
  /** The tenant's day: interest begins then. */
  readonly appliedOn: Temporal.PlainDate;
  readonly createdAt: Date;
  /** Its units are taken from the product and count for the customer. */
  readonly isReserved: boolean;
  readonly ending?: ApplicationEnding;
}

export type ApplicationEnding =
  | {
      readonly status: "COMPLETED";
      readonly holdingId: string;
      readonly maturity?: Temporal.PlainDate;
      readonly expectedReturnMinor?: bigint;
    }
  | { readonly status: "REFUSED"; readonly refusal: KeptRefusal };

/** Refuses PRODUCT_CLOSED, UNITS_OUT_OF_LIMITS and UNITS_SOLD_OUT, in this order; `heldUnits` is what the customer has of it already. */
export function checkUnits(product: Product, units: bigint, heldUnits: bigint): void {
  if (product.status !== "OPEN") throw new Refusal("PRODUCT_CLOSED", "the product takes no applications");
  const { minimumUnits, maximumUnitsPerCustomer } = product;
  if (units < minimumUnits || heldUnits + units > maximumUnitsPerCustomer) {
    const figures = {
      minimumUnits: String(minimumUnits),
      maximumUnitsPerCustomer: String(maximumUnitsPerCustomer),
      unitsHeld: String(heldUnits),
    };
    throw new Refusal(
      "UNITS_OUT_OF_LIMITS",
      `from ${minimumUnits} units an application, up to ${maximumUnitsPerCustomer} a customer`,
      { figures },
    );
  }
  const left = unitsLeft(product);
  if (units > left) {
    throw new Refusal("UNITS_SOLD_OUT", left === 0n ? "the product is sold out" : `only ${left} units are left`, {
      figures: { unitsLeft: String(left) },
    });
  }
}

/** Units that nobody has taken; none where fewer are offered now than were sold. */
export function unitsLeft({ unitsOffered, unitsTaken }: Product): bigint {
  return unitsOffered > unitsTaken ? unitsOffered - unitsTaken : 0n;
}
