import { v7 as uuidv7 } from "uuid";
import { IssuePayableRequest, IssuePayableResponse } from "../../../proto/gen/wallet/v1/payables.js";
import { assertCurrency } from "../../kernel/codes/currencies.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import { parseMoney } from "../../kernel/money.js";
import { invalidInput } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { dueOf, issuedTypes } from "../domain/payable.js";
import { checkPositive } from "../domain/payment.js";
import type { WalletDeps } from "./deps.js";
import { checkedExpiry, checkedPayer, keepPayable, timesOf } from "./payable-draft.js";

/** A bill, or a merchant's order. Refuses CUSTOMER_NOT_FOUND. */
export function issuePayable(deps: WalletDeps) {
  return async (request: IssuePayableRequest, call: Call): Promise<IssuePayableResponse> => {
    const { expiresInS, ...form } = parse(request);
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
  };
}

function parse(request: IssuePayableRequest) {
  const { currency } = request;
  const type = issuedTypes.find((issued) => issued === request.type);
  if (type === undefined) throw invalidInput("type", `must be ${issuedTypes.join(" or ")}`);
  assertCurrency(currency, "currency");
  const principal = parseMoney(request.principal, currency, "principal");
  checkPositive(principal);
  const fee = parseMoney(request.fee || "0", currency, "fee");
  const tax = parseMoney(request.tax || "0", currency, "tax");
  return {
    type,
    currency,
    principalMinor: principal.minor,
    feeMinor: fee.minor,
    taxMinor: tax.minor,
    payeeName: textFromWire(request.payeeName, "payeeName", { maximum: 100 }),
    description: textFromWire(request.description, "description", { minimum: 0, maximum: 140 }),
    reference: textFromWire(request.reference, "reference", { minimum: 0, maximum: 64 }),
    expiresInS: checkedExpiry(request.expiresInS),
  } as const;
}
