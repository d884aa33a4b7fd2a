import { v7 as uuidv7 } from "uuid";
import { RequestPaymentRequest, RequestPaymentResponse } from "../../../proto/gen/wallet/v1/payables.js";
import { outgoing } from "../../kernel/grpc/client.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import { parseMoney } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import type { PayableItem } from "../domain/payable.js";
import { checkPositive } from "../domain/payment.js";
import type { WalletDeps } from "./deps.js";
import { findOpenedAccount } from "./find-account.js";
import { checkedExpiry, checkedPayer, keepPayable, timesOf } from "./payable-draft.js";

const monthS = 30 * 86_400;

/** Refuses ACCOUNT_NOT_FOUND, FORBIDDEN for another's wallet, CUSTOMER_NOT_FOUND. */
export function requestPayment(deps: WalletDeps) {
  return async (request: RequestPaymentRequest, call: Call): Promise<RequestPaymentResponse> => {
    const form = {
      payeeAccountId: textFromWire(request.payeeAccountId, "payeeAccountId"),
      description: textFromWire(request.description, "description", { minimum: 0, maximum: 140 }),
      expiresInS: checkedExpiry(request.expiresInS || monthS),
    };
    const operation = "wallet.v1.RequestPayment";
    const keyed = { operation, request, requestType: RequestPaymentRequest, response: RequestPaymentResponse, call };
    return keepPayable(deps, keyed, () => plan(deps, { ...request, ...form }, call));
  };
}

async function plan(deps: WalletDeps, request: RequestPaymentRequest, call: Call): Promise<PayableItem> {
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
