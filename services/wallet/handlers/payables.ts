import { v7 as uuidv7 } from "uuid";
import {
  RequestPaymentRequest,
  RequestPaymentResponse,
  IssuePayableRequest,
  IssuePayableResponse,
  RequestWithdrawalRequest,
  RequestWithdrawalResponse,
} from "../../../proto/gen/wallet/v1/payables.js";
import type { WalletServiceDefinition } from "../../../proto/gen/wallet/v1/wallet.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { outgoing } from "../../kernel/grpc/client.js";
import { parseMoney } from "../../kernel/money.js";
import { assertCurrency } from "../../kernel/codes/currencies.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { dueOf, issuedTypes, itemTypes, maxPayeeCode, payeeCodeOf, payeeCodePattern } from "../domain/payable.js";
import type { PayableItem, PayableItemType } from "../domain/payable.js";
import { payableToWire } from "../wire/payables.js";
import { checkPositive } from "../domain/payment.js";
import { nowOf, type WalletDeps } from "./deps.js";
import { findOpenedAccount } from "./find-account.js";
import { checkedExpiry, checkedPayer, keepPayable, timesOf } from "./payable-draft.js";

const monthS = 30 * 86_400;

/** What can be paid from a wallet. */
export function payableHandlers(deps: WalletDeps) {
  return {
    /** Refuses PAYABLE_NOT_FOUND, FORBIDDEN where a customer neither pays nor gets it. */
    async getPayable({ payableId }, call) {
      const item = await find(deps, payableId, call);
      return { payable: payableToWire(item, await nowOf(deps, call)) };
    },

    async listPayables(request, call) {
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
    },

    /** Whoever asked for the money takes it back; staff takes back bills and orders. */
    async cancelPayable({ payableId }, call) {
      const { role, userId } = requireUser(call);
      const item = await find(deps, payableId, call);
      const isOwn = item.createdBy === userId;
      const isStaffs = role !== "CUSTOMER" && issuedTypes.some((type) => type === item.type);
      if (!isOwn && !isStaffs) throw new Refusal("FORBIDDEN", "only who asked for it takes it back");
      const wallet = deps.store.forTenant(call.tenantId);
      if (item.status !== "CANCELLED" && !(await wallet.movePayable(payableId, "OPEN", "CANCELLED"))) {
        const code = item.status === "OPEN" || item.status === "PAYING" ? "PAYABLE_NOT_OPEN" : "PAYABLE_ALREADY_PAID";
        throw new Refusal(code, "a payment has it");
      }
      return { payable: payableToWire({ ...item, status: "CANCELLED" }, await nowOf(deps, call)) };
    },

    /** Refuses ACCOUNT_NOT_FOUND, FORBIDDEN for another's wallet, CUSTOMER_NOT_FOUND. */
    async requestPayment(request, call) {
      const form = {
        payeeAccountId: textFromWire(request.payeeAccountId, "payeeAccountId"),
        description: textFromWire(request.description, "description", { minimum: 0, maximum: 140 }),
        expiresInS: checkedExpiry(request.expiresInS || monthS),
      };
      const operation = "wallet.v1.RequestPayment";
      const keyed = { operation, request, requestType: RequestPaymentRequest, response: RequestPaymentResponse, call };
      return keepPayable(deps, keyed, () => planRequest(deps, { ...request, ...form }, call));
    },

    /** A bill, or a merchant's order. Refuses CUSTOMER_NOT_FOUND. */
    async issuePayable(request, call) {
      const { expiresInS, ...form } = issuedFromWire(request);
      const operation = "wallet.v1.IssuePayable";
      const keyed = { operation, request, requestType: IssuePayableRequest, response: IssuePayableResponse, call };
      return keepPayable(deps, keyed, async () => {
        await deps.ceilings.check(call, dueOf(form));
        return {
          payableId: uuidv7(),
          status: "OPEN",
          ...form,
          ...(await checkedPayer(deps, request.payerCustomerId, call)),
          createdBy: requireUser(call).userId,
          ...(await timesOf(deps, expiresInS, call)),
        };
      });
    },

    /**
     * Refuses NOT_FOUND for a bank account that is not there or was removed, FORBIDDEN for another
     * customer's.
     */
    async requestWithdrawal(request, call) {
      textFromWire(request.bankAccountId, "bankAccountId");
      textFromWire(request.description, "description", { minimum: 0, maximum: 140 });
      const operation = "wallet.v1.RequestWithdrawal";
      const types = { requestType: RequestWithdrawalRequest, response: RequestWithdrawalResponse };
      return keepPayable(deps, { operation, request, ...types, call }, () => planWithdrawal(deps, request, call));
    },
  } satisfies Partial<Handlers<WalletServiceDefinition>>;
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

function typeFromWire(text: string): PayableItemType | undefined {
  if (text === "") return undefined;
  const found = itemTypes.find((type) => type === text);
  if (found === undefined) throw invalidInput("type", `must be one of ${itemTypes.join(", ")}`);
  return found;
}

async function planRequest(deps: WalletDeps, request: RequestPaymentRequest, call: Call): Promise<PayableItem> {
  const { customerId = "", userId } = requireUser(call);
  const account = await findOpenedAccount(deps, request.payeeAccountId, call);
  if (account.status === "CLOSED") throw new Refusal("ACCOUNT_NOT_FOUND", "no such wallet account");
  if (account.customerId !== customerId) throw new Refusal("FORBIDDEN", "the account is another customer's");
  const { accountId: payeeAccountId, currency } = account;
  const amount = parseMoney(request.amount, currency, "amount");
  checkPositive(amount);
  await deps.ceilings.check(call, amount);
  const payer = await checkedPayer(deps, request.payerCustomerId, call);
  const { customer } = await deps.identity.getCustomer({ customerId }, outgoing(call));
  return {
    payableId: uuidv7(),
    type: "PAYMENT_REQUEST",
    status: "OPEN",
    payeeName: `${customer?.firstName ?? ""} ${customer?.lastName ?? ""}`.trim(),
    payeeAccountId,
    payeeCustomerId: customerId,
    ...payer,
    description: request.description,
    reference: "",
    currency,
    principalMinor: amount.minor,
    feeMinor: 0n,
    taxMinor: 0n,
    createdBy: userId,
    ...(await timesOf(deps, request.expiresInS, call)),
  };
}

function issuedFromWire(request: IssuePayableRequest) {
  const { currency } = request;
  const type = issuedTypes.find((issued) => issued === request.type);
  if (type === undefined) throw invalidInput("type", `must be ${issuedTypes.join(" or ")}`);
  assertCurrency(currency, "currency");
  const principal = parseMoney(request.principal, currency, "principal");
  checkPositive(principal);
  const fee = parseMoney(request.fee || "0", currency, "fee");
  const tax = parseMoney(request.tax || "0", currency, "tax");
  const payeeName = textFromWire(request.payeeName, "payeeName", { maximum: 100 });
  return {
    type,
    currency,
    principalMinor: principal.minor,
    feeMinor: fee.minor,
    taxMinor: tax.minor,
    payeeName,
    payeeCode: payeeCodeFromWire(request.payeeCode) ?? payeeCodeOf(payeeName),
    description: textFromWire(request.description, "description", { minimum: 0, maximum: 140 }),
    reference: textFromWire(request.reference, "reference", { minimum: 0, maximum: 64 }),
    expiresInS: checkedExpiry(request.expiresInS),
  } as const;
}

function payeeCodeFromWire(text: string): string | undefined {
  if (text === "") return undefined;
  if (text.length > maxPayeeCode || !payeeCodePattern.test(text)) {
    throw invalidInput("payeeCode", `must be 1 to ${maxPayeeCode} of a to z and 0 to 9, words parted by "-"`);
  }
  return text;
}

async function planWithdrawal(deps: WalletDeps, request: RequestWithdrawalRequest, call: Call): Promise<PayableItem> {
  const { customerId = "", userId } = requireUser(call);
  const { bankAccountId, description } = request;
  const account = await deps.store.forTenant(call.tenantId).findBankAccount(bankAccountId);
  if (account?.status !== "VERIFIED") throw new Refusal("NOT_FOUND", "no such bank account");
  if (account.customerId !== customerId) throw new Refusal("FORBIDDEN", "the bank account is another customer's");
  const { bankName: payeeName, currency } = account;
  const amount = parseMoney(request.amount, currency, "amount");
  checkPositive(amount);
  await deps.ceilings.check(call, amount);
  return {
    payableId: uuidv7(),
    type: "WITHDRAWAL",
    status: "OPEN",
    payeeName,
    payerCustomerId: customerId,
    bankAccountId,
    description,
    reference: "",
    currency,
    principalMinor: amount.minor,
    feeMinor: 0n,
    taxMinor: 0n,
    createdBy: userId,
    ...(await timesOf(deps, monthS, call)),
  };
}
