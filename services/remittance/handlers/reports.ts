import type { RemittanceServiceDefinition } from "../../../proto/gen/remittance/v1/remittance.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { moneyToWire } from "../../shared/money.js";
import { invalidInput, Refusal } from "../../shared/refusal.js";
import { idFromWire, methodToWire } from "../names.js";
import { receiptPdf } from "../receipt.js";
import { analytics, callOver, rangeOf } from "../reports.js";
import { transactionToWire } from "../wire-transaction.js";
import type { RemittanceDeps } from "./deps.js";

type ReportRpcs = "getReceipt" | "getCallOverReport" | "getAnalytics";

const longestDays = 92;

/** What is printed and counted of transactions. Days are those of the tenant's time zone. */
export function reportHandlers({
  store,
  people,
  times,
}: Pick<RemittanceDeps, "store" | "people" | "times">): Pick<Handlers<RemittanceServiceDefinition>, ReportRpcs> {
  return {
    async getReceipt(request, call) {
      const transactionId = idFromWire(request.transactionId, "transactionId");
      const transaction = await store.forTenant(call.tenantId).findTransaction(transactionId);
      if (transaction === undefined) throw new Refusal("TRANSACTION_NOT_FOUND", "no such transaction");
      await people.assertMaySee(transaction, call);
      const { paidAt } = transaction;
      if (paidAt === undefined) throw new Refusal("STATE_CONFLICT", "the transaction was not paid for");
      const organisation = await people.organisationName(call);
      const { timeZone } = await times.forTenant(call.tenantId);
      const pdf = await receiptPdf(transaction, { organisation, timeZone });
      return { transaction: transactionToWire(transaction, true), paidAt, organisation, pdf };
    },

    async getCallOverReport(request, call) {
      const { timeZone, today } = await times.forTenant(call.tenantId);
      const day = request.date === "" ? today() : dateFromWire(request.date, "date");
      const owners = await people.visibleTransactions(call);
      const created = store.forTenant(call.tenantId).streamCreated(rangeOf(day, day, timeZone), owners);
      const rows = await callOver(created);
      return {
        date: day.toString(),
        rows: rows.map(({ fees, taxes, total, principal, ...about }) => ({
          ...about,
          principal: moneyToWire(principal),
          feesMinor: fees.minor,
          taxesMinor: taxes.minor,
          totalMinor: total.minor,
        })),
      };
    },

    async getAnalytics(request, call) {
      const { timeZone } = await times.forTenant(call.tenantId);
      const from = dateFromWire(request.from, "from");
      const to = dateFromWire(request.to, "to");
      const days = from.until(to).days + 1;
      if (days < 1) throw invalidInput("to", "must not be before from");
      if (days > longestDays) throw invalidInput("to", `must be within ${longestDays} days of from`);
      const owners = await people.visibleTransactions(call);
      const created = store.forTenant(call.tenantId).streamCreated(rangeOf(from, to, timeZone), owners);
      const rows = await analytics(created, timeZone);
      return {
        rows: rows.map(({ fees, taxes, principal, received, deliveryMethod, total: _total, ...about }) => ({
          ...about,
          type: methodToWire(deliveryMethod),
          principal: moneyToWire(principal),
          feesMinor: fees.minor,
          taxesMinor: taxes.minor,
          received: moneyToWire(received),
        })),
      };
    },
  };
}

/** Refuses INVALID_INPUT. */
function dateFromWire(text: string, path: string): Temporal.PlainDate {
  try {
    if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) throw new RangeError("not a date");
    return Temporal.PlainDate.from(text, { overflow: "reject" });
  } catch {
    throw invalidInput(path, "must be a date such as 2026-11-21");
  }
}
