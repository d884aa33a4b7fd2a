import { crashPoint } from "../../kernel/process/crash-point.js";
import type { Logger } from "../../kernel/process/log.js";
import { workOff } from "../../kernel/polling/work-off.js";
import { systemClock } from "../../kernel/time/clock.js";
import { mostExported, pieceOf, type ReportExport } from "../domain/report-export.js";
import type { RemittanceStore } from "../store/index.js";

export interface ReportExportOptions {
  store: RemittanceStore;
  log: Logger;
  /** How often it is looked what was asked for, ms. */
  exportEveryMs?: number | undefined;
  /** How long one that makes an export has it to itself, ms. */
  exportLeaseMs?: number | undefined;
  rowsAPiece?: number | undefined;
}

/**
 * Makes the lists that were asked for, piece by piece, one of a tenant at a time. Any number of
 * replicas may: whoever dies leaves whole pieces, and the next one goes on behind them.
 */
export function startReportExports({
  store,
  log,
  exportEveryMs = 1_000,
  exportLeaseMs = 30_000,
  rowsAPiece = 500,
}: ReportExportOptions) {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;

  async function make(tenantId: string, taken: ReportExport): Promise<void> {
    const tenant = store.forTenant(tenantId);
    const first = await tenant.findFirstOpenExport();
    if (first?.exportId !== taken.exportId) return;
    for (let made = first; !stopping.signal.aborted;) {
      const { start: from, end: to, position: after } = made;
      const found = await tenant.listNewest({ from, to }, { ...(after && { after }), limit: rowsAPiece });
      if (made.rows + found.length > mostExported) return tenant.failExport(made, "TOO_MANY_ROWS", new Date());
      const last = found.at(-1);
      if (last === undefined && made.pieces > 0) return tenant.finishExport(made, new Date());
      const position = last && { createdAt: last.createdAt, transactionId: last.transactionId };
      const piece = { ...pieceOf(made, found), rows: found.length, ...(position && { position }) };
      const dueAt = new Date(Date.now() + exportLeaseMs);
      if (!(await tenant.addExportPiece(made, piece, dueAt))) return;
      crashPoint("remittance.export.added");
      made = { ...made, pieces: made.pieces + 1, rows: made.rows + found.length, ...(position && { position }) };
    }
  }

  /** All that is due now; joins what runs already. */
  function exportNow(): Promise<void> {
    running ??= workOff({
      clock: systemClock,
      takenForMs: exportLeaseMs,
      take: store.takeReportExport,
      work: ({ tenantId, ...taken }) =>
        make(tenantId, taken).catch((err: unknown) => {
          log.warn({ err, tenantId, exportId: taken.exportId }, "an export could not be made, will be tried again");
        }),
      atOnce: 1,
      signal: stopping.signal,
    }).finally(() => (running = undefined));
    return running;
  }

  const timer = setInterval(
    () => void exportNow().catch((err: unknown) => log.warn({ err }, "cannot look for exports")),
    exportEveryMs,
  );
  return {
    exportNow,
    async stop(): Promise<void> {
      stopping.abort();
      clearInterval(timer);
      await running?.catch(() => undefined);
    },
  };
}
