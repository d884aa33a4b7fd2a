import { ApplyResponse, type Application as WireApplication } from "../../../proto/gen/investment/v1/investment.js";
import type { StoredAnswer } from "../../kernel/idempotency/index.js";
import type { Application } from "../domain/application.js";
import { amountToWire } from "./values.js";

/**
 * The one answer to the key of an application: its end, or that it waits, whatever it came to
 * later. The same bytes whenever it is rendered. Undefined while it is under way.
 */
export function applicationAnswer(application: Application): StoredAnswer | undefined {
  const { ending, waiting } = application;
  if (waiting === undefined && ending === undefined) return undefined;
  if (waiting === undefined && ending?.status === "REFUSED") return { kind: "refusal", ...ending.refusal };
  const { ending: _ending, ...unended } = application;
  const answered = waiting === undefined ? application : { ...unended, isWaiting: true };
  return { kind: "response", bytes: ApplyResponse.encode({ application: applicationToWire(answered) }).finish() };
}

/** An application as it is now, without the customer's name, which identity has. */
export function applicationToWire(application: Application): WireApplication {
  const { ending, waiting, isWaiting, total } = application;
  const bought = ending?.status === "COMPLETED" ? ending : undefined;
  const refusal = ending?.status === "REFUSED" ? ending.refusal : undefined;
  const expected = bought?.expectedReturnMinor;
  return {
    applicationId: application.applicationId,
    productId: application.productId,
    productName: application.productName,
    customerId: application.customerId,
    customerName: "",
    walletAccountId: application.walletAccountId,
    units: application.units,
    unitPrice: amountToWire(application.unitPriceMinor, total.currency),
    total: amountToWire(total.minor, total.currency),
    status: isWaiting ? "AWAITING_COMPLIANCE" : (ending?.status ?? "PENDING"),
    holdingId: bought?.holdingId ?? "",
    maturityDate: bought?.maturity?.toString() ?? "",
    expectedReturn: expected === undefined ? undefined : amountToWire(expected, total.currency),
    createdAt: application.createdAt,
    complianceDecision: waiting?.decision ?? "",
    outstandingRequirements: [...(waiting?.outstandingRequirements ?? [])],
    waitsUntil: waiting?.until.toString() ?? "",
    refusalCode: refusal?.code ?? "",
    refusalMessage: refusal?.message ?? "",
  };
}
