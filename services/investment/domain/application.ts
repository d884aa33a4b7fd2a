import type { Money } from "../../kernel/money.js";
import { Refusal, type StoredRefusal } from "../../kernel/refusal.js";
import type { SagaOrigin } from "../../kernel/sagas/saga-origin.js";
import type { Product } from "./product.js";

/**
 * A wish to buy units, from its first record to its end. Names are identity's: none is kept here.
 */
export interface Application extends SagaOrigin {
  readonly applicationId: string;
  readonly productId: string;
  /** Of the product when it was asked for; the holding keeps it. */
  readonly productVersion: number;
  readonly productName: string;
  readonly customerId: string;
  readonly walletAccountId: string;
  readonly units: bigint;
  readonly unitPriceMinor: bigint;
  readonly total: Money;
  /** The tenant's day of the purchase: interest begins then. */
  readonly appliedOn: Temporal.PlainDate;
  readonly createdAt: Date;
  /** Its units are taken from the product and count for the customer. */
  readonly isReserved: boolean;
  /** Compliance has not decided: neither units nor money are taken. */
  readonly isWaiting: boolean;
  /**
   * Set for good where compliance did not decide at once. The key has its answer then, and nobody
   * waits for what follows.
   */
  readonly waiting?: Waiting;
  /** When it went on after waiting. */
  readonly resumedAt?: Date;
  readonly ending?: ApplicationEnding;
}

export interface Waiting extends WaitingFor {
  readonly since: Date;
  /** The last day that it waits. */
  readonly until: Temporal.PlainDate;
}

export interface WaitingFor {
  /** PENDING: documents or the customer's confirmation; REVIEW: a person. */
  readonly decision: "PENDING" | "REVIEW";
  readonly outstandingRequirements: readonly string[];
}

/**
 * Price and rate are those of the day that it was asked for, which nobody may keep open for ever.
 */
export const maxWaitDays = 30;

export type ApplicationEnding =
  | {
      readonly status: "COMPLETED";
      readonly holdingId: string;
      readonly maturity?: Temporal.PlainDate;
      readonly expectedReturnMinor?: bigint;
    }
  | { readonly status: "REFUSED"; readonly refusal: StoredRefusal }
  | { readonly status: "WITHDRAWN" | "EXPIRED" };

/**
 * Refuses PRODUCT_CLOSED, UNITS_OUT_OF_LIMITS and UNITS_SOLD_OUT, in this order; `heldUnits` is
 * what the customer has of it already.
 */
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

/** True when it has ended, or waits for compliance: there is nothing to drive. */
export function isAtRest({ ending, isWaiting }: Pick<Application, "ending" | "isWaiting">): boolean {
  return ending !== undefined || isWaiting;
}

/**
 * When its units count as bought, in the tenant's time: when it was asked for, or when its waiting
 * was over.
 */
export function boughtAt({ resumedAt, createdAt }: Pick<Application, "resumedAt" | "createdAt">): Date {
  return resumedAt ?? createdAt;
}
