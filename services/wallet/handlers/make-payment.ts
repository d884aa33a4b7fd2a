import { v7 as uuidv7 } from "uuid";
import { MakePaymentRequest, MakePaymentResponse } from "../../../proto/gen/wallet/v1/wallet.js";
import { formatDecimal, parseDecimal } from "../../shared/decimal.js";
import { outgoing } from "../../shared/grpc/client.js";
import { requireUser, type Call, type UserPrincipal } from "../../shared/grpc/context.js";
import { fingerprintOf, type Ticket } from "../../shared/idempotency/index.js";
import { parseMoney } from "../../shared/money.js";
import { Refusal } from "../../shared/refusal.js";
import { runKeyedSaga } from "../../shared/sagas.js";
import { refusalByStatus, type WalletAccount } from "../domain/account.js";
import { checkNamedAccount, checkPositive, type Payment } from "../domain/payment.js";
import { planPayment } from "../sagas/payment-plan.js";
import { makePaymentOperation } from "../sagas/payment.js";
import { Taken } from "../store/index.js";
import { payableTypeFromWire, textFromWire } from "../wire/payments.js";
import { checkCredentials } from "./credentials.js";
import { originOf, waiting, type WalletDeps } from "./deps.js";

/**
 * Pays a payable from a wallet. In this order: role, input, replay by key, ownership (ACCOUNT_NOT_FOUND, FORBIDDEN), replay by payment
 * reference (PAYMENT_REFERENCE_REUSED), credentials, rules, then the saga (INSUFFICIENT_FUNDS, what remittance refuses).
 * Replay comes before credentials because a one-time code that the first try has used must not fail its retry.
 */
export function makePayment(deps: WalletDeps) {
  const { idempotency, sagas, payments } = deps;
  return async (given: MakePaymentRequest, call: Call): Promise<MakePaymentResponse> => {
    const user = requireUser(call);
    await checkMayPay(deps, user, call);
    const { request, key, isKeyGiven } = parse(given);
    const { tenantId } = call;
    const fingerprint = fingerprintOf(MakePaymentRequest, request, ["idempotencyKey", "password", "otp", "pin"]);
    return runKeyedSaga({
      idempotency,
      sagas,
      scope: { tenantId, caller: user.userId, operation: makePaymentOperation, key },
      fingerprint,
      response: MakePaymentResponse,
      call,
      start: (ticket) => start(deps, request, call, ticket),
      resume: (paymentId) => payments.driveById(tenantId, paymentId, waiting(call)),
    }).catch((error: unknown) => {
      const isReuse = error instanceof Refusal && error.code === "IDEMPOTENCY_KEY_REUSED";
      throw isReuse && !isKeyGiven ? referenceReused() : error;
    });
  };
}

async function checkMayPay({ identity }: WalletDeps, user: UserPrincipal, call: Call): Promise<void> {
  if (user.role !== "CASHIER") return;
  const { tenant } = await identity.getOrganisationPreference({}, outgoing(call));
  if (tenant?.preference?.cashierWalletPayments !== true) {
    throw new Refusal("FORBIDDEN", "cashiers do not pay from wallets here");
  }
}

/** The request with its amount in one form, so that 25 and 25.00 are one request, and the key it is known by. */
function parse(given: MakePaymentRequest) {
  payableTypeFromWire(given.payableType);
  textFromWire(given.payableId, "payableId");
  textFromWire(given.accountId, "accountId");
  textFromWire(given.paymentGatewayRef, "paymentGatewayRef", { maximum: 255 });
  textFromWire(given.idempotencyKey, "idempotencyKey", { minimum: 0, maximum: 255 });
  textFromWire(given.accountNumber, "accountNumber", { minimum: 0 });
  textFromWire(given.currency, "currency", { minimum: 0, maximum: 3 });
  const totalCheckoutAmount = formatDecimal(parseDecimal(given.totalCheckoutAmount, "totalCheckoutAmount"));
  const isKeyGiven = given.idempotencyKey !== "";
  return {
    request: { ...given, totalCheckoutAmount },
    key: isKeyGiven ? given.idempotencyKey : `ref:${given.paymentGatewayRef}`,
    isKeyGiven,
  };
}

async function start(deps: WalletDeps, request: MakePaymentRequest, call: Call, ticket: Ticket) {
  const { payments } = deps;
  const { tenantId } = call;
  const { account, payee: receiving } = await accountsOf(deps, request, call);
  const total = parseMoney(request.totalCheckoutAmount, account.currency, "totalCheckoutAmount");
  const earlier = await earlierPayment(deps, request, account, ticket, call);
  if (earlier) return earlier;

  const payee = `${payableTypeFromWire(request.payableType)}:${request.payableId}`;
  const payableType = payableTypeFromWire(request.payableType);
  // Compliance decided on a transaction when it was made; its sender may have been blocked since. Asked beside the credentials.
  const isDecided = payableType === "TRANSACTION";
  const allowed = isDecided && deps.moves.ask({ customerId: account.customerId, kind: "TRANSACTION" }, call);
  if (allowed) allowed.catch(() => undefined);
  await checkCredentials(deps, request, { customerId: account.customerId, amount: total, payee }, call);
  checkNamedAccount(account, request);
  checkPositive(total);
  await deps.ceilings.check(call, total);
  const byStatus = allowed ? (await allowed).refusal : undefined;
  const paymentId = uuidv7();
  const asItIs = refusalByStatus(account);
  if (asItIs !== undefined) return { refusal: asItIs };
  if (byStatus !== undefined) return { refusal: byStatus };
  const asked = { payableId: request.payableId, paymentId, payer: account, payee: receiving, total };
  const plan = payableType === "TRANSACTION" ? undefined : await planPayment(deps, { payableType, ...asked }, call);
  if (plan instanceof Refusal) return { refusal: plan };
  const bound = await deps.dayLimits.bound(account, total, call);
  if (bound.refusal !== undefined) return { refusal: bound.refusal };

  const { accountId, accountNumber, customerId } = account;
  const { payableId, paymentGatewayRef } = request;
  const payment: Payment = {
    paymentId,
    customerId,
    accountId,
    accountNumber,
    payableType,
    payableId,
    total,
    paymentGatewayRef,
    fingerprint: ticket.fingerprint,
    createdAt: deps.clock.now(),
    ...(plan === undefined ? {} : { plan }),
    ...(bound.part === undefined ? {} : { spentOn: bound.part.day }),
    ...originOf(call, ticket.scope.caller, ticket.scope.key),
  };
  try {
    await payments.begin(tenantId, payment, ticket);
  } catch (error) {
    // Decided inside the first transaction, which has left nothing: the item was taken, or the day's limit is used up.
    if (error instanceof Refusal && error.code !== "IDEMPOTENCY_IN_FLIGHT") return { refusal: error };
    const first = error instanceof Taken ? await earlierPayment(deps, request, account, ticket, call) : undefined;
    if (first) return first;
    throw error;
  }
  return { drive: () => payments.drive(tenantId, payment, { ...waiting(call), isFirst: true }) };
}

/**
 * The account that pays, and the one that is paid where payableId names one. Unknown, and another tenant's: ACCOUNT_NOT_FOUND. Another
 * customer's: FORBIDDEN.
 */
async function accountsOf({ store }: WalletDeps, { accountId, payableId }: MakePaymentRequest, call: Call) {
  const { role, customerId } = requireUser(call);
  const found = await store.forTenant(call.tenantId).findAccounts([accountId, payableId]);
  const account = found.find((one) => one.accountId === accountId);
  if (account === undefined || account.status === "OPENING") {
    throw new Refusal("ACCOUNT_NOT_FOUND", "no such wallet account");
  }
  if (role !== "CASHIER" && account.customerId !== customerId) {
    throw new Refusal("FORBIDDEN", "the account is another customer's");
  }
  return { account, payee: found.find((one) => one.accountId === payableId) };
}

/**
 * The payment that this reference stands for already, under whatever key. Refuses PAYMENT_REFERENCE_REUSED for other content, and for
 * anybody but the one who made it: its answer is theirs.
 */
async function earlierPayment(
  { store, payments }: WalletDeps,
  { paymentGatewayRef }: MakePaymentRequest,
  { customerId }: WalletAccount,
  { fingerprint, scope }: Ticket,
  call: Call,
) {
  const { tenantId } = call;
  const earlier = await store.forTenant(tenantId).findPaymentByReference(customerId, paymentGatewayRef);
  if (earlier === undefined) return undefined;
  if (earlier.fingerprint !== fingerprint || earlier.caller !== scope.caller) throw referenceReused();
  return { isEarlier: true, drive: () => payments.drive(tenantId, earlier, waiting(call)) };
}

function referenceReused(): Refusal {
  return new Refusal("PAYMENT_REFERENCE_REUSED", "this payment reference was used for another payment");
}
