import { Counter, type Registry } from "prom-client";
import type { Logger } from "../process/log.js";
import { passesByItself } from "./patience.js";
import { processMetrics } from "../telemetry/metrics.js";

const works = [
  "accrual",
  "bank credits",
  "deliveries",
  "dividends",
  "expiry",
  "introductions",
  "payout statements",
  "rescreening",
  "reviews",
  "search words",
  "telling",
  "unpaid holdings",
] as const;
/** Work of which single rows may fail. */
export type RowWork = (typeof works)[number];

/** What is counted of rows that a job could not work. */
export function createLeftRowMetrics(registry: Registry) {
  const counter = new Counter({
    name: "manilla_rows_left_total",
    help: "Rows that a job could not work and left while the others went on, by the work; the log names each",
    labelNames: ["work"] as const,
    registers: [registry],
  });
  // A first one is an increase only where there was a zero before.
  for (const work of works) counter.inc({ work }, 0);
  return counter;
}

const leftRows = createLeftRowMetrics(processMetrics.registry);

/**
 * Says of one row that a job could not work it: it is left, and the others go on. An alert counts
 * these; what passes by itself is told and counts for nothing. `about` names the row, nobody in it.
 */
export function leaveRow(log: Logger, work: RowWork, about: object, error: unknown): void {
  if (passesByItself(error)) {
    log.warn({ err: error, work, ...about }, "a row could not be worked now, will be tried again");
    return;
  }
  leftRows.inc({ work });
  log.error({ err: error, work, ...about }, "a row could not be worked and was left, the others go on");
}
