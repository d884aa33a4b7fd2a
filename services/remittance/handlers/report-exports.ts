import { v7 as uuidv7 } from "uuid";
import {
  RequestReportExportRequest,
  RequestReportExportResponse,
  type RemittanceServiceDefinition,
} from "../../../proto/gen/remittance/v1/remittance.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { Refusal } from "../../kernel/refusal.js";
import { idFromWire } from "../../kernel/text/wire-text.js";
import { exportKeptForMs, mostWaiting, parseExport, type ReportExport } from "../domain/report-export.js";
import { parseReportDays } from "../../platform/reports/report-question.js";
import { assertKey } from "../wire/fields.js";
import { seesBlocks } from "./as-seen-by.js";
import type { RemittanceDeps } from "./deps.js";

const mostListed = 100;

/** Long lists as files: asked for, made by a job, read by whoever asked. */
export function reportExportHandlers({ store, times, runOnce }: Pick<RemittanceDeps, "store" | "times" | "runOnce">) {
  async function found(exportIdText: string, call: Call): Promise<ReportExport> {
    const exportId = idFromWire(exportIdText, "exportId");
    const one = await store.forTenant(call.tenantId).findExport(exportId, requireUser(call).userId);
    if (one === undefined) throw new Refusal("NOT_FOUND", "no such export");
    return one;
  }

  return {
    async requestReportExport(request, call) {
      assertKey(request.idempotencyKey);
      const asked = parseExport(request);
      const { timeZone, today } = await times.forTenant(call.tenantId);
      const days = parseReportDays(request, today());
      const startOf = (day: Temporal.PlainDate) => new Date(day.toZonedDateTime({ timeZone }).epochMilliseconds);
      const tenant = store.forTenant(call.tenantId);
      return runOnce({
        operation: "request-report-export",
        request,
        requestType: RequestReportExportRequest,
        response: RequestReportExportResponse,
        call,
        async work(session) {
          if ((await tenant.countOpenExports(session, mostWaiting)) >= mostWaiting) {
            throw new Refusal("STATE_CONFLICT", `${mostWaiting} exports wait already`);
          }
          const now = new Date();
          const made: ReportExport = {
            exportId: uuidv7(),
            ...asked,
            ...days,
            start: startOf(Temporal.PlainDate.from(days.from)),
            end: startOf(Temporal.PlainDate.from(days.to).add({ days: 1 })),
            seesBlocks: seesBlocks(call),
            status: "QUEUED",
            askedBy: requireUser(call).userId,
            askedAt: now,
            rows: 0,
            pieces: 0,
            expiresAt: new Date(now.getTime() + exportKeptForMs),
          };
          await tenant.insertExport(made, session);
          return { reportExport: exportToWire(made) };
        },
      });
    },

    getReportExport: async (request, call) => ({ reportExport: exportToWire(await found(request.exportId, call)) }),

    async listReportExports(_request, call) {
      const listed = await store.forTenant(call.tenantId).listExports(requireUser(call).userId, mostListed);
      return { reportExports: listed.map(exportToWire) };
    },

    async readReportExport(request, call) {
      const one = await found(request.exportId, call);
      if (one.status !== "DONE") throw new Refusal("STATE_CONFLICT", `the export is ${one.status}`);
      const text = await store.forTenant(call.tenantId).readExportPiece(one.exportId, request.piece);
      return {
        data: Buffer.from(text ?? ""),
        isLast: request.piece + 1 >= one.pieces,
        reportExport: exportToWire(one),
      };
    },
  } satisfies Partial<Handlers<RemittanceServiceDefinition>>;
}

function exportToWire({ rows, askedAt, doneAt, sha256, fault, expiresAt, ...one }: ReportExport) {
  const { exportId, report, from, to, columns, format, status } = one;
  return {
    exportId,
    report,
    from,
    to,
    columns,
    format,
    status,
    askedAt,
    expiresAt,
    rows: BigInt(rows),
    ...(doneAt !== undefined && { doneAt }),
    ...(sha256 !== undefined && { sha256 }),
    ...(fault !== undefined && { fault }),
  };
}
