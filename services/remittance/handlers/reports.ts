import type { RemittanceServiceDefinition } from "../../../proto/gen/remittance/v1/remittance.js";
import { requireUser } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { moneyToWire } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import { parseQuestion, parseReportDay, parseReportDays } from "../../platform/reports/report-question.js";
import { methodToWire } from "../wire/fields.js";
import { createDayEnds } from "../domain/promised-day.js";
import { pathsOf, reportRows } from "../domain/report-rows.js";
import { analytics, callOver } from "../domain/reports.js";
import { seesBlocks } from "./as-seen-by.js";
import type { RemittanceDeps } from "./deps.js";

// Each holds what it reads: more of them at a time would only be later together.
const maxAtOnce = 4;

/** What is counted of transactions. Days are those of the tenant's time zone. */
export function reportHandlers({ store, people, times }: Pick<RemittanceDeps, "store" | "people" | "times">) {
  let running = 0;

  /** Refuses OVERLOADED while others are made. */
  async function oneOfFew<T>(make: () => Promise<T>): Promise<T> {
    if (running >= maxAtOnce) throw new Refusal("OVERLOADED", "other reports are being made", { retryAfterS: 2 });
    running += 1;
    try {
      return await make();
    } finally {
      running -= 1;
    }
  }

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

    async getReport(request, call) {
      const question = parseQuestion("remittance", request);
      // What the organisation earns is not an agent's to know.
      if (question.report === "margin" && requireUser(call).role !== "MANAGER") throw forbidden();
      const { timeZone, today } = await times.forTenant(call.tenantId);
      const days = parseReportDays(request, today());
      const { agentId } = await people.countedTransactions(call);
      const asked = { ...days, byAgent: question.by.includes("agent"), ...(agentId !== undefined && { agentId }) };
      const { readDaySums } = store.forTenant(call.tenantId);
      const sums = await oneOfFew(() => readDaySums(asked, pathsOf(question), timeZone));
      const { columns, rows } = reportRows(question, sums, today().toString());
      return { columns, rows: rows.map((cells) => ({ cells })) };
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

const forbidden = () => new Refusal("FORBIDDEN", "the user's role does not allow this");
