import { v7 as uuidv7 } from "uuid";
import {
  ApplyRequest,
  ApplyResponse,
  type InvestmentServiceDefinition,
} from "../../../proto/gen/investment/v1/investment.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import type { Ticket } from "../../kernel/idempotency/index.js";
import { isSameName } from "../../kernel/people/person-names.js";
import { Refusal } from "../../kernel/refusal.js";
import { deadlineOf, keepingRefusals, originOf, runSaga } from "../../kernel/sagas/index.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { applyOperation } from "../sagas/application-identity.js";
import { checkUnits, type Application } from "../domain/application.js";
import { fullName } from "../clients/people.js";
import { unitsFromWire, uuidFromWire } from "../wire/values.js";
import { walletOf } from "../clients/wallets.js";
import type { InvestmentDeps } from "./deps.js";

interface Wish {
  readonly productId: string;
  readonly units: bigint;
  readonly walletAccountId: string;
  readonly customerId: string;
  readonly customerName: string;
}

/**
 * Buys units for money of a wallet. In this order: role, input, replay by key, ownership
 * (FORBIDDEN, ACCOUNT_NOT_FOUND, NOT_FOUND), rules (ACCOUNT_CLOSED, ACCOUNT_FROZEN,
 * CURRENCY_MISMATCH, CUSTOMER_NAME_MISMATCH, PRODUCT_CLOSED, UNITS_OUT_OF_LIMITS, UNITS_SOLD_OUT,
 * AMOUNT_ABOVE_CEILING), then the saga (COMPLIANCE_REJECTED, units once more, INSUFFICIENT_FUNDS).
 * What compliance has not decided on is answered AWAITING_COMPLIANCE and goes on by itself.
 */
export function applyHandlers(deps: InvestmentDeps) {
  const { idempotency, sagas, applications, people } = deps;
  return {
    async apply(request, call) {
      requireUser(call);
      const wish = parse(request);
      const { tenantId } = call;
      let nameOnFile: string | undefined;
      const { application } = await runSaga({
        idempotency,
        sagas,
        operation: applyOperation,
        request,
        requestType: ApplyRequest,
        response: ApplyResponse,
        call,
        start: (ticket) =>
          keepingRefusals(async () => {
            const { application, name } = await applicationOf(deps, wish, call, ticket);
            nameOnFile = name;
            await applications.begin(tenantId, application, ticket);
            return { drive: () => applications.drive(tenantId, application, deadlineOf(call)) };
          }),
        resume: (applicationId) => applications.driveById(tenantId, applicationId, deadlineOf(call)),
      });
      if (application === undefined) throw new Error("an application's answer is empty");
      // Names are identity's to keep and to erase: the stored answer has none.
      const customerName = nameOnFile ?? (await people.nameOf(wish.customerId, call));
      return { application: { ...application, customerName } };
    },
  } satisfies Partial<Handlers<InvestmentServiceDefinition>>;
}

function parse(request: ApplyRequest): Wish {
  return {
    productId: uuidFromWire(request.productId, "productId"),
    units: unitsFromWire(request.units, "units"),
    walletAccountId: uuidFromWire(request.walletAccountId, "walletAccountId"),
    customerId: uuidFromWire(request.customerId, "customerId"),
    customerName: textFromWire(request.customerName.trim(), "customerName", { maximum: 256 }),
  };
}

/**
 * Everything that can be said before anything begins. What others may change meanwhile is decided
 * again in the saga.
 */
async function applicationOf(
  deps: InvestmentDeps,
  wish: Wish,
  call: Call,
  ticket: Ticket,
): Promise<{ application: Application; name: string }> {
  const { store, people, businessClock } = deps;
  const { productId, units, customerId, walletAccountId } = wish;
  people.assertOwn(customerId, call);
  const tenant = store.forTenant(call.tenantId);
  const product = await tenant.findProduct(productId);
  if (product === undefined) throw new Refusal("NOT_FOUND", "no such investment product");
  const account = await walletOf(deps, wish, call);
  const customer = await people.findCustomer({ customerId }, call);
  if (account.currency !== product.currency) {
    throw new Refusal("CURRENCY_MISMATCH", `the product is sold in ${product.currency}`);
  }
  const name = fullName(customer);
  if (!isSameName(wish.customerName, name)) {
    throw new Refusal("CUSTOMER_NAME_MISMATCH", "customerName is not the name on file");
  }
  checkUnits(product, units, await tenant.unitsHeldBy(productId, customerId));
  const total = { minor: units * product.unitPriceMinor, currency: product.currency };
  await deps.ceilings.check(call, total);
  const time = await businessClock.forTenant(call.tenantId, call.interactionId);
  const application: Application = {
    applicationId: uuidv7(),
    productId,
    productVersion: product.version,
    productName: product.name,
    customerId,
    walletAccountId,
    units,
    unitPriceMinor: product.unitPriceMinor,
    total,
    appliedOn: time.today(),
    createdAt: time.now(),
    isReserved: false,
    isWaiting: false,
    ...originOf(call, ticket.scope.caller, ticket.scope.key),
  };
  return { application, name };
}
