import { Counter, type Registry } from "prom-client";
import { processMetrics } from "../../../kernel/telemetry/metrics.js";

/** What remittance counts of banks that take files. */
export function createBankFileMetrics(registry: Registry) {
  const files = new Counter({
    name: "manilla_bank_files_total",
    help: "Files of banks: read, known (read before), failed (they count for nothing; the log says why)",
    labelNames: ["result"] as const,
    registers: [registry],
  });
  // A first failure is an increase only where there was a zero before.
  files.inc({ result: "failed" }, 0);
  return { files };
}

export const bankFileMetrics = createBankFileMetrics(processMetrics.registry);
