import type { ReportServiceDefinition } from "../../../proto/gen/operations/v1/reports.js";
import { requireUser } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { Refusal } from "../../kernel/refusal.js";
import { parseQuestion, parseReportDays } from "../../platform/reports/report-question.js";
import { pathsOf, reportRows } from "../domain/report-rows.js";
import type { RemittanceDeps } from "./deps.js";

type DayReportDeps = Pick<RemittanceDeps, "store" | "people" | "times" | "oneOfFew">;

/** Sums of days as a table. */
export function dayReportHandlers({ store, people, times, oneOfFew }: DayReportDeps) {
  return {
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
  } satisfies Partial<Handlers<ReportServiceDefinition>>;
}

const forbidden = () => new Refusal("FORBIDDEN", "the user's role does not allow this");
