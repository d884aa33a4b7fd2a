import { createHash } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import {
  MakePaymentRequest,
  MakePaymentResponse,
  type WalletServiceDefinition,
} from "../../../proto/gen/wallet/v1/wallet.js";
import { formatDecimal, parseDecimal } from "../../kernel/decimal.js";
import { outgoing } from "../../kernel/grpc/client.js";
import { requireUser, type Call, type UserPrincipal } from "../../kernel/grpc/context.js";
import type { Ticket } from "../../kernel/idempotency/index.js";
import { parseMoney, type Money } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import { deadlineOf, originOf, runSaga, type Started } from "../../kernel/sagas/index.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { isFundedInCash, refusalByStatus, type WalletAccount } from "../domain/account.js";
import { checkNamedAccount, checkPositive, type Payment } from "../domain/payment.js";
import { planPayment } from "../sagas/payment-plan.js";
import { makePaymentOperation } from "../sagas/payment-identity.js";
import { Taken } from "../store/taken.js";
import { payableTypeFromWire, paymentToWire } from "../wire/payments.js";
import type { WalletDeps } from "./deps.js";
import { findPayment } from "./find-payment.js";
import { assertManagedByAgent } from "./managed-customers.js";
import { checkPayerCredentials } from "../../platform/neighbours/payer-credentials.js";

/** Payments from a wallet. */
export function paymentHandlers(deps: WalletDeps) {
  const { idempotency, sagas, payments, store } = deps;
  return {
    /**
     * Pays a payable from a wallet. In this order: role, input, replay by key, ownership
     * (ACCOUNT_NOT_FOUND, FORBIDDEN), replay by payment reference (PAYMENT_REFERENCE_REUSED),
     * credentials, rules, then the saga (INSUFFICIENT_FUNDS, what remittance refuses). Replay comes
     * before credentials because a one-time code that the first try has used must not fail its
     * retry.
     */
    async makePayment(given, call) {
      await checkMayPay(deps, requireUser(call), call);
      const request = parse(given);
      return runSaga<MakePaymentRequest, MakePaymentResponse>({
        idempotency,
        sagas,
        operation: makePaymentOperation,
        request,
        requestType: MakePaymentRequest,
        omit: ["password", "otp", "pin"],
        response: MakePaymentResponse,
        call,
        start: (ticket) => start(deps, request, call, ticket),
        resume: (paymentId) => payments.driveById(call.tenantId, paymentId, deadlineOf(call)),
      }).catch((error: unknown) => {
        const isReuse = error instanceof Refusal && error.code === "IDEMPOTENCY_KEY_REUSED";
        throw isReuse && given.idempotencyKey === "" ? referenceReused() : error;
      });
    },

    /** Refuses NOT_FOUND, FORBIDDEN for another customer's. */
    async getPayment(request, call) {
      const payment = await findPayment(store, request.paymentId, call);
      const { role, customerId } = requireUser(call);
      if (role === "CUSTOMER" && payment.customerId !== customerId) {
        throw new Refusal("FORBIDDEN", "this is another customer's");
      }
      await assertManagedByAgent(deps, payment.customerId, call);
      return { payment: paymentToWire(payment) };
    },
  } satisfies Partial<Handlers<WalletServiceDefinition>>;
}

async function checkMayPay({ identity }: WalletDeps, user: UserPrincipal, call: Call): Promise<void> {
  if (user.role !== "CASHIER") return;
  const { tenant } = await identity.getOrganisationPreference({}, outgoing(call));
  if (tenant?.preference?.cashierWalletPayments !== true) {
    throw new Refusal("FORBIDDEN", "cashiers do not pay from wallets here");
  }
}

/**
 * Normalises the amount, so that 25 and 25.00 are one request, and takes the reference as key where
 * there is none.
 */
function parse(given: MakePaymentRequest): MakePaymentRequest {
  payableTypeFromWire(given.payableType);
  textFromWire(given.payableId, "payableId");
  textFromWire(given.accountId, "accountId");
  textFromWire(given.paymentGatewayRef, "paymentGatewayRef", { maximum: 255 });
  textFromWire(given.idempotencyKey, "idempotencyKey", { minimum: 0, maximum: 255 });
  textFromWire(given.accountNumber, "accountNumber", { minimum: 0 });
  textFromWire(given.currency, "currency", { minimum: 0, maximum: 3 });
  const totalCheckoutAmount = formatDecimal(parseDecimal(given.totalCheckoutAmount, "totalCheckoutAmount"));
  return { ...given, totalCheckoutAmount, idempotencyKey: given.idempotencyKey || keyOfReference(given) };
}

/** Hashes the reference, which may be of any letters and too long for a key. */
function keyOfReference({ paymentGatewayRef }: MakePaymentRequest): string {
  return `ref:${createHash("sha256").update(paymentGatewayRef).digest("base64url")}`;
}

/**
 * Loads, checks and decides, then begins the payment; or the earlier one that the reference stands
 * for.
 */
async function start(deps: WalletDeps, request: MakePaymentRequest, call: Call, ticket: Ticket): Promise<Started> {
  const { payments } = deps;
  const { tenantId } = call;
  const { account, payee } = await accountsOf(deps, request, call);
  const total = parseMoney(request.totalCheckoutAmount, account.currency, "totalCheckoutAmount");
  const earlier = await earlierPayment(deps, request, account, ticket, call);
  if (earlier) return earlier;
  const decided = await decide(deps, request, { account, payee, total, ticket }, call);
  if (decided instanceof Refusal) return { refusal: decided };
  try {
    await payments.begin(tenantId, decided, ticket);
  } catch (error) {
    // Decided inside the first transaction, which has left nothing: the item was taken, or the
    // day's limit is used up.
    if (error instanceof Refusal && error.code !== "IDEMPOTENCY_IN_FLIGHT") return { refusal: error };
    const first = error instanceof Taken ? await earlierPayment(deps, request, account, ticket, call) : undefined;
    if (first) return first;
    throw error;
  }
  return { drive: () => payments.drive(tenantId, decided, { ...deadlineOf(call), isFirst: true }) };
}

interface Parties {
  account: WalletAccount;
  payee: WalletAccount | undefined;
  total: Money;
  ticket: Ticket;
}

/**
 * Decides the payment that is to begin, or a refusal that is kept. Throws what is the request's own
 * fault, and for credentials.
 */
async function decide(
  deps: WalletDeps,
  request: MakePaymentRequest,
  { account, payee, total, ticket }: Parties,
  call: Call,
): Promise<Payment | Refusal> {
  const { customerId, accountId, accountNumber } = account;
  const { payableId, paymentGatewayRef } = request;
  const payableType = payableTypeFromWire(request.payableType);
  // Compliance decided on a transaction when it was made; its sender may have been blocked since.
  // Asked beside the credentials.
  const isDecided = payableType === "TRANSACTION";
  const allowed = isDecided && deps.moves.ask({ customerId, kind: "TRANSACTION" }, call);
  if (allowed) allowed.catch(() => undefined);
  await checkPayerCredentials(deps, request, { customerId, amount: total, payee: `${payableType}:${payableId}` }, call);
  checkNamedAccount(account, request);
  checkPositive(total);
  await deps.ceilings.check(call, total);
  const byCompliance = allowed ? (await allowed).refusal : undefined;
  const refusal = refusalByStatus(account) ?? byCompliance;
  if (refusal !== undefined) return refusal;
  const paymentId = uuidv7();
  const requested = { payableId, paymentId, payer: account, payee, total };
  const plan = payableType === "TRANSACTION" ? undefined : await planPayment(deps, { payableType, ...requested }, call);
  if (plan instanceof Refusal) return plan;
  const limited = await deps.dayLimits.check(account, total, call);
  if (limited.refusal !== undefined) return limited.refusal;
  const createdAt = deps.clock.now();
  return {
    paymentId,
    customerId,
    accountId,
    accountNumber,
    payableType,
    payableId,
    total,
    paymentGatewayRef,
    fingerprint: ticket.fingerprint,
    createdAt,
    ...(isDecided && isFundedInCash(account, createdAt) && { funding: "CASH" as const }),
    ...(plan && { plan }),
    ...(limited.part && { spentOn: limited.part.day }),
    ...originOf(call, ticket.scope.caller, ticket.scope.key),
  };
}

/**
 * Loads the account that pays, and the one that is paid where payableId names one. Refuses
 * ACCOUNT_NOT_FOUND, and FORBIDDEN for another customer's.
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
 * Finds the payment that the reference stands for already, under whatever key. Refuses
 * PAYMENT_REFERENCE_REUSED for other content, and for anybody but its payer, whose answer it is.
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
  return { isEarlier: true, drive: () => payments.drive(tenantId, earlier, deadlineOf(call)) };
}

function referenceReused(): Refusal {
  return new Refusal("PAYMENT_REFERENCE_REUSED", "this payment reference was used for another payment");
}
