import { v7 as uuidv7 } from "uuid";
import {
  IssuePayableRequest,
  IssuePayableResponse,
  RequestPaymentRequest,
  RequestPaymentResponse,
  RequestWithdrawalRequest,
  RequestWithdrawalResponse,
  type CancelPayableRequest,
  type CancelPayableResponse,
  type GetPayableRequest,
  type GetPayableResponse,
  type ListPayablesRequest,
  type ListPayablesResponse,
} from "../../../proto/gen/wallet/v1/payables.js";
import { assertCurrency } from "../../shared/currencies.js";
import { outgoing } from "../../shared/grpc/client.js";
import { requireUser, type Call } from "../../shared/grpc/context.js";
import { parseMoney } from "../../shared/money.js";
import { invalidInput, Refusal } from "../../shared/refusal.js";
import { checkPositive } from "../domain/payment.js";
import type { PayableItem, PayableItemType } from "../domain/payable.js";
import type { OnceOptions } from "./once.js";
import { payableToWire } from "../wire/payables.js";
import { textFromWire } from "../wire/payments.js";
import type { WalletDeps } from "./deps.js";

const itemTypes = ["PAYMENT_REQUEST", "BILL", "MERCHANT", "WITHDRAWAL"] as const;
const monthS = 30 * 86_400;

/** Refuses ACCOUNT_NOT_FOUND, FORBIDDEN for another's wallet, CUSTOMER_NOT_FOUND. */
export function requestPayment(deps: WalletDeps) {
  return async (request: RequestPaymentRequest, call: Call): Promise<RequestPaymentResponse> => {
    const { customerId = "", userId } = requireUser(call);
    const wallet = deps.store.forTenant(call.tenantId);
    const payeeAccountId = textFromWire(request.payeeAccountId, "payeeAccountId");
    const description = textFromWire(request.description, "description", { minimum: 0, maximum: 140 });
    const expiresInS = checkedExpiry(request.expiresInS || monthS);
    const item = async (): Promise<PayableItem> => {
      const account = await wallet.findAccount(payeeAccountId);
      if (account === undefined || account.status === "OPENING" || account.status === "CLOSED") {
        throw new Refusal("ACCOUNT_NOT_FOUND", "no such wallet account");
      }
      if (account.customerId !== customerId) throw new Refusal("FORBIDDEN", "the account is another customer's");
      const amount = parseMoney(request.amount, account.currency, "amount");
      checkPositive(amount);
      await deps.ceilings.check(call, amount);
      const payer = await checkedPayer(deps, request.payerCustomerId, call);
      const { customer } = await deps.identity.getCustomer({ customerId }, outgoing(call));
      return {
        payableId: uuidv7(),
        type: "PAYMENT_REQUEST",
        status: "OPEN",
        payeeName: `${customer?.firstName ?? ""} ${customer?.lastName ?? ""}`.trim(),
        payeeAccountId: account.accountId,
        payeeCustomerId: customerId,
        ...payer,
        description,
        reference: "",
        currency: account.currency,
        principalMinor: amount.minor,
        feeMinor: 0n,
        taxMinor: 0n,
        createdBy: userId,
        ...(await times(deps, expiresInS, call)),
      };
    };
    return made(deps, "RequestPayment", request, RequestPaymentRequest, RequestPaymentResponse, item, call);
  };
}

/** Refuses CUSTOMER_NOT_FOUND. */
export function issuePayable(deps: WalletDeps) {
  return async (request: IssuePayableRequest, call: Call): Promise<IssuePayableResponse> => {
    const { type, currency } = request;
    if (type !== "BILL" && type !== "MERCHANT") throw invalidInput("type", "must be BILL or MERCHANT");
    assertCurrency(currency, "currency");
    const principal = parseMoney(request.principal, currency, "principal");
    checkPositive(principal);
    const [fee, tax] = [
      parseMoney(request.fee || "0", currency, "fee"),
      parseMoney(request.tax || "0", currency, "tax"),
    ];
    const total = principal.minor + fee.minor + tax.minor;
    const texts = {
      payeeName: textFromWire(request.payeeName, "payeeName", { maximum: 100 }),
      description: textFromWire(request.description, "description", { minimum: 0, maximum: 140 }),
      reference: textFromWire(request.reference, "reference", { minimum: 0, maximum: 64 }),
    };
    const expiresInS = checkedExpiry(request.expiresInS);
    const item = async (): Promise<PayableItem> => {
      await deps.ceilings.check(call, { minor: total, currency });
      return {
        payableId: uuidv7(),
        type,
        status: "OPEN",
        ...texts,
        ...(await checkedPayer(deps, request.payerCustomerId, call)),
        currency,
        principalMinor: principal.minor,
        feeMinor: fee.minor,
        taxMinor: tax.minor,
        createdBy: requireUser(call).userId,
        ...(await times(deps, expiresInS, call)),
      };
    };
    return made(deps, "IssuePayable", request, IssuePayableRequest, IssuePayableResponse, item, call);
  };
}

/** Refuses NOT_FOUND for a bank account that is not there or was removed, FORBIDDEN for another customer's. */
export function requestWithdrawal(deps: WalletDeps) {
  return async (request: RequestWithdrawalRequest, call: Call): Promise<RequestWithdrawalResponse> => {
    const { customerId = "", userId } = requireUser(call);
    const wallet = deps.store.forTenant(call.tenantId);
    const bankAccountId = textFromWire(request.bankAccountId, "bankAccountId");
    const description = textFromWire(request.description, "description", { minimum: 0, maximum: 140 });
    const item = async (): Promise<PayableItem> => {
      const account = await wallet.findBankAccount(bankAccountId);
      if (account?.status !== "VERIFIED") throw new Refusal("NOT_FOUND", "no such bank account");
      if (account.customerId !== customerId) throw new Refusal("FORBIDDEN", "the bank account is another customer's");
      const amount = parseMoney(request.amount, account.currency, "amount");
      checkPositive(amount);
      await deps.ceilings.check(call, amount);
      return {
        payableId: uuidv7(),
        type: "WITHDRAWAL",
        status: "OPEN",
        payeeName: account.bankName,
        payerCustomerId: customerId,
        bankAccountId,
        description,
        reference: "",
        currency: account.currency,
        principalMinor: amount.minor,
        feeMinor: 0n,
        taxMinor: 0n,
        createdBy: userId,
        ...(await times(deps, monthS, call)),
      };
    };
    return made(deps, "RequestWithdrawal", request, RequestWithdrawalRequest, RequestWithdrawalResponse, item, call);
  };
}

/** Refuses PAYABLE_NOT_FOUND, FORBIDDEN where a customer neither pays nor gets it. */
export function getPayable(deps: WalletDeps) {
  return async ({ payableId }: GetPayableRequest, call: Call): Promise<GetPayableResponse> => {
    const item = await find(deps, payableId, call);
    return { payable: payableToWire(item, await nowOf(deps, call)) };
  };
}

export function listPayables(deps: WalletDeps) {
  return async (request: ListPayablesRequest, call: Call): Promise<ListPayablesResponse> => {
    const { role, customerId = "" } = requireUser(call);
    const type = typeFromWire(request.type);
    const size = request.pageSize || 20;
    if (size < 1 || size > 100) throw invalidInput("pageSize", "must be 1 to 100");
    textFromWire(request.cursor, "cursor", { minimum: 0 });
    const fit = { ...(type && { type }), ...(role === "CUSTOMER" && { customerId }) };
    const items = await deps.store.forTenant(call.tenantId).listPayables(fit, request.cursor, size + 1);
    const shown = items.slice(0, size);
    const now = await nowOf(deps, call);
    const nextCursor = items.length > size ? (shown.at(-1)?.payableId ?? "") : "";
    return { payables: shown.map((item) => payableToWire(item, now)), nextCursor };
  };
}

/** Whoever asked for the money takes it back; staff takes back bills and orders. */
export function cancelPayable(deps: WalletDeps) {
  return async ({ payableId }: CancelPayableRequest, call: Call): Promise<CancelPayableResponse> => {
    const { role, userId } = requireUser(call);
    const item = await find(deps, payableId, call);
    const isOwn = item.createdBy === userId;
    const isStaffs = role !== "CUSTOMER" && (item.type === "BILL" || item.type === "MERCHANT");
    if (!isOwn && !isStaffs) throw new Refusal("FORBIDDEN", "only who asked for it takes it back");
    const wallet = deps.store.forTenant(call.tenantId);
    if (item.status !== "CANCELLED" && !(await wallet.movePayable(payableId, "OPEN", "CANCELLED"))) {
      const code = item.status === "OPEN" || item.status === "PAYING" ? "PAYABLE_NOT_OPEN" : "PAYABLE_ALREADY_PAID";
      throw new Refusal(code, "a payment has it");
    }
    return { payable: payableToWire({ ...item, status: "CANCELLED" }, await nowOf(deps, call)) };
  };
}

async function find({ store }: WalletDeps, payableId: string, call: Call): Promise<PayableItem> {
  const item = await store.forTenant(call.tenantId).findPayable(textFromWire(payableId, "payableId"));
  if (item === undefined) throw new Refusal("PAYABLE_NOT_FOUND", "no such payable");
  const { role, customerId = "" } = requireUser(call);
  const isOpenToAll = item.payerCustomerId === undefined;
  if (role === "CUSTOMER" && !isOpenToAll && ![item.payerCustomerId, item.payeeCustomerId].includes(customerId)) {
    throw new Refusal("FORBIDDEN", "this is between other customers");
  }
  return item;
}

async function checkedPayer({ identity }: WalletDeps, payerCustomerId: string, { tenantId, interactionId }: Call) {
  if (payerCustomerId === "") return {};
  textFromWire(payerCustomerId, "payerCustomerId");
  // Asked for ourselves: a customer may not look at another one, and learns here only that there is one.
  await identity.getCustomer({ customerId: payerCustomerId }, outgoing({ tenantId, interactionId }));
  return { payerCustomerId };
}

/** Refuses INVALID_INPUT; 0 is never. */
function checkedExpiry(expiresInS: number): number {
  if (expiresInS !== 0 && (expiresInS < 60 || expiresInS > 31_536_000)) {
    throw invalidInput("expiresInS", "must be 60 to 31536000");
  }
  return expiresInS;
}

async function times(deps: WalletDeps, expiresInS: number, call: Call) {
  const createdAt = await nowOf(deps, call);
  return { createdAt, ...(expiresInS > 0 && { expiresAt: new Date(createdAt.getTime() + expiresInS * 1_000) }) };
}

async function nowOf({ businessClock }: WalletDeps, call: Call): Promise<Date> {
  return (await businessClock.forTenant(call.tenantId, call.interactionId)).now();
}

function typeFromWire(text: string): PayableItemType | undefined {
  if (text === "") return undefined;
  const found = itemTypes.find((type) => type === text);
  if (found === undefined) throw invalidInput("type", `must be one of ${itemTypes.join(", ")}`);
  return found;
}

function made<Request extends { idempotencyKey: string }, Response extends IssuePayableResponse>(
  { store, once }: WalletDeps,
  name: string,
  request: Request,
  requestType: OnceOptions<Request, Response>["requestType"],
  response: OnceOptions<Request, Response>["response"],
  plan: () => Promise<PayableItem>,
  call: Call,
): Promise<Response> {
  let item: PayableItem | undefined;
  return once<Request, Response>({
    operation: `wallet.v1.${name}`,
    request,
    requestType,
    response,
    call,
    work: async (session) => {
      // Behind the replay, which an account that was closed or removed since does not change; before the transaction's first command.
      item ??= await plan();
      await store.forTenant(call.tenantId).insertPayable(item, session);
      return { payable: payableToWire(item, item.createdAt) } as Response;
    },
  });
}
