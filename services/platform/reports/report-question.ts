import { invalidInput } from "../../kernel/refusal.js";
import { parseCalendarDay } from "../../kernel/time/calendar-day.js";
import {
  groupColumns,
  kindOf,
  reportNames,
  reportOwners,
  reportTables,
  type GroupColumn,
  type Grouping,
  type ReportName,
  type ReportOwner,
} from "./report-tables.js";

/** What is asked of a report, as it is known to be right. */
export interface ReportQuestion {
  report: ReportName;
  by: readonly Grouping[];
  /** In the report's own order. */
  columns: readonly string[];
}

/** A table: every row has a cell a column, as text. */
export interface ReportTable {
  columns: string[];
  rows: string[][];
}

/** Of one report, both ends included. */
const maxDays = 366;

/**
 * Of a report that somebody knows. Refuses INVALID_INPUT at report, by or columns; all columns
 * where none are named.
 */
export function parseQuestion(
  owner: ReportOwner,
  asked: { report: string; by: readonly string[]; columns: readonly string[] },
): ReportQuestion {
  const own: Partial<Record<ReportName, readonly Grouping[]>> = reportOwners[owner];
  const report = reportNames.find((one) => one === asked.report);
  const groupings = report && own[report];
  if (groupings === undefined) throw invalidInput("report", `must be one of ${reportNames.join(", ")}`);
  const names = Object.keys(reportTables[report!]);
  const strange = asked.columns.find((column) => kindOf(report!, column) === undefined);
  if (strange !== undefined) throw invalidInput("columns", `must be of ${names.join(", ")}`);
  const isGrouping = (one: string): one is Grouping => groupings.some((grouping) => grouping === one);
  if (!asked.by.every(isGrouping)) throw invalidInput("by", `must be of ${groupings.join(", ")}`);
  const columns = asked.columns.length === 0 ? names : names.filter((name) => asked.columns.includes(name));
  return { report: report!, by: asked.by, columns };
}

/** A day that has begun. Refuses INVALID_INPUT at the path. */
export function parseReportDay(text: string, path: string, today: Temporal.PlainDate): string {
  const day = parseCalendarDay(text, path);
  if (day > today.toString()) throw invalidInput(path, "must not be in the future");
  return day;
}

/**
 * Days that have begun, of the tenant's calendar. Refuses INVALID_INPUT at from or to for what is
 * none, for more than 366 of them, and for those that all are still to come.
 */
export function parseReportDays(
  asked: { from: string; to: string },
  today: Temporal.PlainDate,
): { from: string; to: string } {
  const [from, to] = [parseReportDay(asked.from, "from", today), parseCalendarDay(asked.to, "to")];
  const days = Temporal.PlainDate.from(from).until(to).days + 1;
  if (days < 1) throw invalidInput("to", "must not be before from");
  if (days > maxDays) throw invalidInput("to", `must be within ${maxDays} days of from`);
  return { from, to };
}

/** Which columns say what a row is of, whatever else its report shows. */
export function groupedColumns(by: readonly Grouping[], others: readonly GroupColumn[]): GroupColumn[] {
  const isGrouped: Partial<Record<GroupColumn, Grouping>> = {
    day: "day",
    month: "month",
    originCountry: "corridor",
    receivingCountry: "corridor",
    deliveryMethod: "method",
    partnerId: "partner",
    agentId: "agent",
    code: "code",
  };
  return groupColumns.filter((column) => {
    const grouping = isGrouped[column];
    return others.includes(column) || (grouping !== undefined && by.includes(grouping));
  });
}
