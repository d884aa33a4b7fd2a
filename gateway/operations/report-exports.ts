import { Readable } from "node:stream";
import { z } from "zod";
import * as wire from "../../proto/gen/remittance/v1/remittance.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { shape } from "../codec.js";
import { FileAnswer } from "../file-answer.js";
import { operation } from "../operation.js";
import { route, v6 } from "../route.js";
import { dateIn, idIn, instant, integer, maybe, shown, text } from "../schema.js";

const base = `${v6}/admin/reports/exports`;

export const ReportExport = shape(
  wire.ReportExport,
  z
    .object({
      exportId: z.string(),
      report: shown(z.string(), "transactions"),
      from: shown(z.string(), "2026-11-01"),
      to: shown(z.string(), "2026-11-30"),
      columns: z.array(z.string()),
      format: z.enum(["CSV", "JSONL"]),
      status: z.enum(["QUEUED", "RUNNING", "DONE", "FAILED"]),
      rows: integer,
      sha256: z.string().optional().meta({ description: "Of the whole file, hex." }),
      fault: z.enum(["TOO_MANY_ROWS", "PERSON_ERASED"]).optional(),
      askedAt: instant,
      doneAt: instant.optional(),
      expiresAt: instant.meta({ description: "When it is removed." }),
    })
    .meta({ id: "ReportExport" }),
);

const common = { tag: "Reports", access: ["MANAGER"], scopes: ["reports:read"] } as const;
const exportPath = z.object({ exportId: idIn });
const ofPath = { exportId: "path.exportId" };
const none = { as: "manager@demo.example", params: { exportId: "no-such-export" }, answers: 404 } as const;

/** Ours: made by a job, one of the organisation's at a time. */
const requestReportExport = operation({
  ...common,
  method: "post",
  path: base,
  summary: "Ask for a long list as a file, CSV or JSON lines; it is kept sealed for 7 days, for whoever asked",
  sdk: { name: "requestExport" },
  headers: { idempotencyKey: "required" },
  body: z
    .object({
      report: text(40).meta({ examples: ["transactions"] }),
      from: dateIn,
      to: dateIn,
      columns: maybe(z.array(text(40)).max(40)).meta({ description: "All where absent." }),
      format: text(10),
    })
    .meta({ id: "ReportExportRequest" }),
  answer: ReportExport,
  message: "Export asked for",
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "export-2026-11" },
    body: { report: "transactions", from: "2026-11-01", to: "2026-11-30", format: "CSV" },
  },
  rpc: "remittance.requestReportExport",
});

/** Ours. */
const listReportExports = operation({
  ...common,
  method: "get",
  path: base,
  summary: "List the exports that the caller has asked for, the newest first",
  sdk: { name: "exports" },
  answer: z.array(ReportExport),
  message: "Exports",
  example: { as: "manager@demo.example" },
  rpc: "remittance.listReportExports",
});

/** Ours. */
const readReportExport = operation({
  ...common,
  method: "get",
  path: `${base}/:exportId`,
  summary: "Read how far an export is",
  sdk: { name: "export" },
  params: exportPath,
  answer: ReportExport,
  message: "Export",
  renames: ofPath,
  example: none,
  rpc: "remittance.getReportExport",
});

/** Ours. */
const downloadReportExport = route({
  ...common,
  method: "get",
  path: `${base}/:exportId/content`,
  summary: "Download the file of an export that is done",
  sdk: { name: "download" },
  params: exportPath,
  file: "application/octet-stream",
  answer: z.instanceof(FileAnswer),
  message: "File of an export",
  refusable: true,
  renames: ofPath,
  example: none,
  run: async ({ params: { exportId }, call, clients }) => {
    const read = (piece: number) => clients.remittance.readReportExport({ exportId, piece }, outgoing(call));
    const first = await read(0);
    const { report, from, to, format } = first.reportExport!;
    async function* content() {
      let answer = first;
      yield answer.data;
      for (let piece = 1; !answer.isLast; piece += 1) yield (answer = await read(piece)).data;
    }
    return new FileAnswer(
      `${report}-${from}-${to}.${format.toLowerCase()}`,
      Readable.from(content(), { objectMode: false }),
    );
  },
});

export const reportExportRoutes = {
  requestReportExport,
  listReportExports,
  readReportExport,
  downloadReportExport,
};
