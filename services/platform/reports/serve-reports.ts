import { ReportServiceDefinition } from "../../../proto/gen/operations/v1/reports.js";
import type { Call } from "../../kernel/grpc/context.js";
import { alsoServe, type AnyServedService } from "../../kernel/grpc/server.js";
import { formatMoney } from "../../kernel/money.js";
import { invalidInput } from "../../kernel/refusal.js";
import type { BusinessClock, BusinessTime } from "../preferences/business-clock.js";
import {
  groupedColumns,
  parseQuestion,
  parseReportDays,
  type ReportQuestion,
  type ReportTable,
} from "./report-question.js";
import { kindOf, type GroupColumn, type ReportOwner } from "./report-tables.js";

/** Something that a report adds up: what it is of, and its figures. All are in one currency. */
export interface ReportFact {
  about: Partial<Record<GroupColumn, string>> & { currency: string };
  figures: Readonly<Record<string, bigint>>;
}

export interface AskedReport extends ReportQuestion {
  from: string;
  to: string;
}

type Facts = Iterable<ReportFact> | AsyncIterable<ReportFact>;

/** What a service knows for a report, in any order. */
export type ReadFacts = (asked: AskedReport, time: BusinessTime, call: Call) => Facts | Promise<Facts>;

export interface ServedReports {
  owner: Exclude<ReportOwner, "remittance">;
  clock: Pick<BusinessClock, "forTenant">;
  /** Columns that rows always have, beside what is asked for and their currency. */
  always?: readonly GroupColumn[];
  read: ReadFacts;
}

// What fits into one answer between services.
const maxRows = 20_000;

/** A service's reports, to be served beside it: to managers, since they are the organisation's. */
export function serveReports({ owner, clock, always = [], read }: ServedReports): AnyServedService {
  return alsoServe<ReportServiceDefinition>({
    definition: ReportServiceDefinition,
    access: { getReport: { callers: ["gateway"], user: "required", roles: ["MANAGER"] } },
    handlers: {
      async getReport(request, call) {
        const question = parseQuestion(owner, request);
        const time = await clock.forTenant(call.tenantId, call.interactionId);
        const asked = { ...question, ...parseReportDays(request, time.today()) };
        const shown = groupedColumns(question.by, [...always, "currency"]);
        const { columns, rows } = await tableOf(question, shown, await read(asked, time, call));
        return { columns, rows: rows.map((cells) => ({ cells })) };
      },
    },
  });
}

/** Rows in a stable order, those of nothing left out. Refuses INVALID_INPUT for too many. */
export async function tableOf(
  { report, columns }: ReportQuestion,
  shown: readonly GroupColumn[],
  facts: Facts,
): Promise<ReportTable> {
  const rows = new Map<string, { cells: string[]; currency: string; figures: Map<string, bigint> }>();
  for await (const { about, figures } of facts) {
    const cells = shown.map((column) => about[column] ?? "");
    const key = cells.join("\n");
    let row = rows.get(key);
    if (row === undefined) {
      rows.set(key, (row = { cells, currency: about.currency, figures: new Map() }));
      if (rows.size > maxRows) throw invalidInput("to", `the report has more than ${maxRows} rows: ask for fewer days`);
    }
    for (const [name, by] of Object.entries(figures)) row.figures.set(name, (row.figures.get(name) ?? 0n) + by);
  }
  const made = [...rows]
    .filter(([, { figures }]) => columns.some((column) => (figures.get(column) ?? 0n) !== 0n))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { cells, currency, figures }]) => [
      ...cells,
      ...columns.map((column) => {
        const minor = figures.get(column) ?? 0n;
        return kindOf(report, column) === "count" ? String(minor) : formatMoney({ minor, currency });
      }),
    ]);
  return { columns: [...shown, ...columns], rows: made };
}
