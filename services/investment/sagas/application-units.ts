import type { KeyedMutex } from "../../kernel/batching/keyed-mutex.js";
import { isDuplicateKey } from "../../kernel/mongo/transaction.js";
import { Refusal } from "../../kernel/refusal.js";
import { checkUnits, isAtRest, type Application } from "../domain/application.js";
import type { InvestmentStore, Session } from "../store/index.js";

export interface UnitReservationDeps {
  store: InvestmentStore;
  /** Lets one application of a product reserve at a time: others would only write-conflict. */
  productMutex: KeyedMutex;
}

/**
 * What a try to reserve came to: "ended" where another driver has brought the application to its
 * end.
 */
type Reservation = "reserved" | "ended";

/** Takes an application's units: one document per product and one per customer decide. */
export function createUnitReservation({ store, productMutex }: UnitReservationDeps) {
  async function check(tenantId: string, application: Application, session?: Session): Promise<void> {
    const { productId, customerId, units } = application;
    const tenant = store.forTenant(tenantId);
    const product = await tenant.findProduct(productId, session);
    if (product === undefined) throw new Error(`product ${productId} is not there`);
    checkUnits(product, units, await tenant.unitsHeldBy(productId, customerId, session));
  }

  /**
   * What another driver of the same application has come to; undefined where nothing is decided.
   */
  async function decided(tenantId: string, applicationId: string, session?: Session): Promise<Reservation | undefined> {
    const found = await store.forTenant(tenantId).findApplication(applicationId, session);
    if (found === undefined) throw new Error(`application ${applicationId} is not there`);
    if (isAtRest(found)) return "ended";
    return found.isReserved ? "reserved" : undefined;
  }

  async function take(tenantId: string, application: Application, session: Session): Promise<Reservation> {
    const { applicationId, productId, customerId, units } = application;
    const tenant = store.forTenant(tenantId);
    const known = await decided(tenantId, applicationId, session);
    if (known !== undefined) return known;
    await check(tenantId, application, session);
    if (!(await tenant.reserveApplication(applicationId, session))) {
      throw new Error(`application ${applicationId} changed inside a transaction`);
    }
    await tenant.takeUnits(productId, units, session);
    await tenant.addToPosition(productId, customerId, units, session);
    return "reserved";
  }

  /**
   * Undefined when the units are this application's and it is pending, which alone lets it go on to
   * the money; "ended" where another driver has ended it; else the refusal that it ends with.
   * Throws while nothing is decided.
   */
  return async function reserve(tenantId: string, application: Application): Promise<Refusal | "ended" | undefined> {
    const { applicationId, productId } = application;
    const attempt = () =>
      store.transaction(
        (session) => take(tenantId, application, session),
        () => decided(tenantId, applicationId),
      );
    try {
      const taken = await productMutex.runExclusive(`${tenantId} ${productId}`, async () => {
        // What is sold out needs no transaction to say so.
        if ((await decided(tenantId, applicationId)) === undefined) await check(tenantId, application);
        return attempt().catch((error: unknown) => {
          // Another replica made the customer's document of this product first: now it is there.
          if (isDuplicateKey(error)) return attempt();
          throw error;
        });
      });
      return taken === "ended" ? taken : undefined;
    } catch (error) {
      if (error instanceof Refusal && error.code !== "UNAVAILABLE") return error;
      throw error;
    }
  };
}
