import type { RemittanceServiceDefinition } from "../../../proto/gen/remittance/v1/remittance.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { moneyToWire } from "../../kernel/money.js";
import { parseReportDay, parseReportDays } from "../../platform/reports/report-question.js";
import { methodToWire } from "../wire/fields.js";
import { createDayEnds } from "../domain/promised-day.js";
import { analytics, callOver } from "../domain/reports.js";
import { seesBlocks } from "./as-seen-by.js";
import type { RemittanceDeps } from "./deps.js";

/** What is counted of transactions. Days are those of the tenant's time zone. */
export function reportHandlers({
  store,
  people,
  times,
  oneOfFew,
}: Pick<RemittanceDeps, "store" | "people" | "times" | "oneOfFew">) {
  return {
    async getCallOverReport(request, call) {
      const { timeZone, today } = await times.forTenant(call.tenantId);
      const day = request.date === "" ? today().toString() : parseReportDay(request.date, "date", today());
      const { agentId } = await people.countedTransactions(call);
      const { readCreatorSums } = store.forTenant(call.tenantId);
      const sums = await oneOfFew(() => readCreatorSums(day, agentId, timeZone));
      const rows = callOver(sums, { seesBlocks: seesBlocks(call) });
      return {
        date: day,
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
      const time = await times.forTenant(call.tenantId);
      const { timeZone } = time;
      const days = parseReportDays(request, time.today());
      const { agentId } = await people.countedTransactions(call);
      const question = { ...days, ...(agentId !== undefined && { agentId }) };
      const { readDaySums } = store.forTenant(call.tenantId);
      const sums = await oneOfFew(() => readDaySums(question, ["created"], timeZone));
      const [endOf, now] = [createDayEnds(timeZone), time.now().getTime()];
      const rows = analytics(sums, { seesBlocks: seesBlocks(call), isOver: (day) => now >= endOf(day) });
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
  } satisfies Partial<Handlers<RemittanceServiceDefinition>>;
}
