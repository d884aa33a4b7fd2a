import { v7 as uuidv7 } from "uuid";
import { ApplyRequest, ApplyResponse } from "../../../proto/gen/investment/v1/investment.js";
import { outgoing } from "../../shared/grpc/client.js";
import { requireUser, type Call } from "../../shared/grpc/context.js";
import { fingerprintOf } from "../../shared/idempotency/index.js";
import { money } from "../../shared/money.js";
import { Refusal } from "../../shared/refusal.js";
import { applyOperation } from "../application-saga.js";
import { checkUnits, type Application } from "../domain/application.js";
import { isSameName } from "../domain/names.js";
import { runKeyedSaga } from "../sagas.js";
import { textFromWire, unitsFromWire, uuidFromWire } from "../wire.js";
import { originOf, waiting, type InvestmentDeps } from "./deps.js";

interface Wish {
  readonly key: string;
  readonly productId: string;
  readonly units: bigint;
  readonly walletAccountId: string;
  readonly customerId: string;
  readonly customerName: string;
}

/**
 * Buys units for money of a wallet. In this order: role, input, replay by key, ownership (FORBIDDEN, ACCOUNT_NOT_FOUND, NOT_FOUND), rules
 * (ACCOUNT_CLOSED, ACCOUNT_FROZEN, CURRENCY_MISMATCH, CUSTOMER_NAME_MISMATCH, PRODUCT_CLOSED, UNITS_OUT_OF_LIMITS, UNITS_SOLD_OUT), then the saga
 * (what compliance refuses, units once more, INSUFFICIENT_FUNDS).
 */
export function apply(deps: InvestmentDeps) {
  const { idempotency, sagas, applications } = deps;
  return async (request: ApplyRequest, call: Call): Promise<ApplyResponse> => {
    const { userId } = requireUser(call);
    const wish = parse(request);
    const { tenantId } = call;
    return runKeyedSaga({
      idempotency,
      sagas,
      scope: { tenantId, caller: userId, operation: applyOperation, key: wish.key },
      fingerprint: fingerprintOf(ApplyRequest, request, ["idempotencyKey"]),
      response: ApplyResponse,
      call,
      async start(ticket) {
        const application = await applicationOf(deps, wish, call, ticket.scope.caller);
        await applications.begin(tenantId, application, ticket);
        return () => applications.drive(tenantId, application, waiting(call));
      },
      resume: (applicationId) => applications.driveById(tenantId, applicationId, waiting(call)),
    });
  };
}

function parse(request: ApplyRequest): Wish {
  return {
    key: textFromWire(request.idempotencyKey, "idempotencyKey", { maximum: 255 }),
    productId: uuidFromWire(request.productId, "productId"),
    units: unitsFromWire(request.units, "units"),
    walletAccountId: uuidFromWire(request.walletAccountId, "walletAccountId"),
    customerId: uuidFromWire(request.customerId, "customerId"),
    customerName: textFromWire(request.customerName.trim(), "customerName", { maximum: 256 }),
  };
}

/** Everything that can be said before anything begins. What others may change meanwhile is decided again in the saga. */
async function applicationOf(deps: InvestmentDeps, wish: Wish, call: Call, caller: string): Promise<Application> {
  const { store, people, businessClock } = deps;
  const { productId, units, customerId, walletAccountId } = wish;
  people.assertOwn(customerId, call);
  const tenant = store.forTenant(call.tenantId);
  const product = await tenant.findProduct(productId);
  if (product === undefined) throw new Refusal("NOT_FOUND", "no such investment product");
  const account = await payingAccount(deps, wish, call);
  const customer = await people.findCustomer({ customerId }, call);
  if (account.currency !== product.currency) {
    throw new Refusal("CURRENCY_MISMATCH", `the product is sold in ${product.currency}`);
  }
  const nameOnFile = `${customer.firstName} ${customer.lastName}`;
  if (!isSameName(wish.customerName, nameOnFile)) {
    throw new Refusal("CUSTOMER_NAME_MISMATCH", "customerName is not the name on file");
  }
  checkUnits(product, units, await tenant.unitsHeldBy(productId, customerId));
  const time = await businessClock.forTenant(call.tenantId, call.interactionId);
  return {
    applicationId: uuidv7(),
    productId,
    productVersion: product.version,
    productName: product.name,
    customerId,
    customerName: nameOnFile,
    walletAccountId,
    units,
    unitPriceMinor: product.unitPriceMinor,
    total: money(units * product.unitPriceMinor, product.currency),
    appliedOn: time.today(),
    createdAt: time.now(),
    isReserved: false,
    ...originOf(call, caller, wish.key),
  };
}

/** The wallet that pays. Another tenant's, and none: ACCOUNT_NOT_FOUND. Another customer's: FORBIDDEN. */
async function payingAccount({ wallet }: InvestmentDeps, { walletAccountId, customerId }: Wish, call: Call) {
  const { account } = await wallet
    .getWalletAccount({ accountId: walletAccountId }, outgoing(call))
    .catch((error: unknown) => {
      const isNone = error instanceof Refusal && (error.code === "NOT_FOUND" || error.code === "ACCOUNT_NOT_FOUND");
      throw isNone ? new Refusal("ACCOUNT_NOT_FOUND", "no such wallet account") : error;
    });
  if (account === undefined) throw new Error("wallet answered without an account");
  if (account.customerId !== customerId) throw new Refusal("FORBIDDEN", "the wallet account is another customer's");
  if (account.status === "CLOSED") throw new Refusal("ACCOUNT_CLOSED", "the wallet account is closed");
  if (account.status === "FROZEN") throw new Refusal("ACCOUNT_FROZEN", "the wallet account is frozen");
  return account;
}
