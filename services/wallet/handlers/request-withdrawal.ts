import { v7 as uuidv7 } from "uuid";
import { RequestWithdrawalRequest, RequestWithdrawalResponse } from "../../../proto/gen/wallet/v1/payables.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import { parseMoney } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import type { PayableItem } from "../domain/payable.js";
import { checkPositive } from "../domain/payment.js";
import type { WalletDeps } from "./deps.js";
import { keepPayable, timesOf } from "./payable-draft.js";

const monthS = 30 * 86_400;

/**
 * Refuses NOT_FOUND for a bank account that is not there or was removed, FORBIDDEN for another
 * customer's.
 */
export function requestWithdrawal(deps: WalletDeps) {
  return async (request: RequestWithdrawalRequest, call: Call): Promise<RequestWithdrawalResponse> => {
    textFromWire(request.bankAccountId, "bankAccountId");
    textFromWire(request.description, "description", { minimum: 0, maximum: 140 });
    const operation = "wallet.v1.RequestWithdrawal";
    const types = { requestType: RequestWithdrawalRequest, response: RequestWithdrawalResponse };
    return keepPayable(deps, { operation, request, ...types, call }, () => plan(deps, request, call));
  };
}

async function plan(deps: WalletDeps, request: RequestWithdrawalRequest, call: Call): Promise<PayableItem> {
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
