import { z } from "zod";
import type { CloseBlocker as WireBlocker } from "../../proto/gen/operations/v1/closing.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import type { WirePartial } from "../../services/kernel/grpc/definition.js";
import {
  closeBlockers,
  serviceAway,
  type BlockingService,
} from "../../services/platform/closing/close-blocker-kinds.js";
import type { Clients } from "../clients.js";
import { filled, readerOf } from "../codec.js";
import { operation } from "../operation.js";
import { keyOf, replaying, route, v6, type EdgeCall } from "../route.js";
import { reasonIn, shown } from "../schema.js";
import { CloseBlocker, Closing } from "../shapes/closing.js";
import { staffBase } from "../shapes/loans.js";
import { booksBase, booksOperation } from "./books.js";
import { paymentsBase } from "./wallet-accounts.js";

/** Who waits for the rest sees what there is after this long. */
const answerWithinMs = 3_000;

/** True where a calendar has the day, or the first one of the month or year. */
function hasDay(period: string): boolean {
  const [year, month = "01", day = "01"] = period.split("-");
  const time = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(period);
}

const noPeriod = "must be a day, a month or a year, such as 2026-11-30, 2026-11 or 2026";
const periodIn = z
  .string()
  .regex(/^\d{4}(-\d{2}(-\d{2})?)?$/, noPeriod)
  .refine(hasDay, noPeriod)
  .meta({ examples: ["2026-11-29"] });
const renames = { period: "path.period" };

const closingOf = readerOf(Closing);
type Blocker = WirePartial<WireBlocker> & { service: string; kind: string; count: number };

/** What stands in the way in a service; one that is away does, too. */
async function blockersOf(
  service: BlockingService,
  throughDate: string,
  call: EdgeCall,
  clients: Clients,
): Promise<Blocker[]> {
  const client = clients.closeBlockers[service];
  if (client === undefined) return [];
  try {
    const { blockers } = await client.listCloseBlockers({ throughDate }, outgoing(call, { timeoutMs: answerWithinMs }));
    return blockers.map((blocker) => ({ ...blocker, service }));
  } catch (err) {
    call.log.warn({ err, service }, "a service did not say what keeps the books open");
    return [{ service, kind: serviceAway, count: 1 }];
  }
}

const lastMonthDay = (month: string) =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).toISOString().slice(0, 10);
const lastDayOf = (period: string) =>
  period.length === 10 ? period : period.length === 7 ? lastMonthDay(period) : `${period}-12-31`;

async function allBlockers(
  period: string,
  services: readonly BlockingService[],
  call: EdgeCall,
  clients: Clients,
): Promise<Blocker[]> {
  const through = lastDayOf(period);
  return (await Promise.all(services.map((service) => blockersOf(service, through, call, clients)))).flat();
}

const paths: Partial<Record<string, string>> = {
  APPROVALS_OPEN: `${v6}/admin/approvals?status=PENDING`,
  ROWS_PARKED: `${v6}/admin/work-queues`,
  [serviceAway]: `${v6}/admin/work-queues`,
  "wallet.SUSPENSE_OLD": `${paymentsBase}/unmatched-credits`,
  "lending.SUSPENSE_OLD": `${staffBase}/suspense`,
  SETTLEMENTS_OPEN: `${booksBase}/settlements?open=true`,
  JOURNALS_OPEN: `${booksBase}/journals?open=true`,
  REVALUATION_MISSING: `${booksBase}/positions`,
};

function blockerShown({ service, kind, count, isAtLeast, oldestAt }: Blocker) {
  const path = paths[`${service}.${kind}`] ?? paths[kind];
  return {
    service,
    kind,
    count,
    ...(isAtLeast === true && { atLeast: true }),
    ...(oldestAt !== undefined && { oldestAt: (oldestAt as Date).toISOString() }),
    ...(path !== undefined && { path }),
  };
}

const readPeriods = operation({
  ...booksOperation,
  method: "get",
  path: `${booksBase}/periods`,
  scopes: ["books:read"],
  summary: "Read through when the books are closed, and which day, month or year may be closed next",
  answer: z
    .object({
      closedThrough: shown(z.string(), "2026-11-28").optional(),
      today: shown(z.string(), "2026-11-30").meta({ description: "By the organisation's clock and time zone." }),
      closable: z.array(shown(z.string(), "2026-11-29")),
    })
    .meta({ id: "Periods" }),
  message: "Periods",
  example: { as: "manager@demo.example" },
  rpc: "periods.readPeriods",
});

const readPeriod = route({
  ...booksOperation,
  method: "get",
  path: `${booksBase}/periods/:period`,
  scopes: ["books:read"],
  summary: "Read what stands in the way of closing a period, service by service",
  params: z.object({ period: periodIn }),
  answer: z.object({ period: z.string(), blockers: z.array(CloseBlocker) }).meta({ id: "PeriodChecklist" }),
  message: "Period",
  renames: { ...renames, throughDate: "path.period" },
  example: { as: "manager@demo.example", params: { period: "2026-11-29" } },
  run: async ({ params: { period }, call, clients }) => {
    const services = Object.keys(closeBlockers) as BlockingService[];
    const found = await allBlockers(period, services, call, clients);
    return { period, blockers: found.map(blockerShown) };
  },
});

const closePeriod = route({
  ...booksOperation,
  method: "post",
  path: `${booksBase}/periods/:period/close`,
  peopleOnly: "judgement",
  summary: "Close a day, month or year that is over; its package is built at once",
  headers: { idempotencyKey: "required" },
  params: z.object({ period: periodIn }),
  answer: Closing,
  message: "Period closed",
  renames,
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "close-2025-11-29" },
    params: { period: "2025-11-29" },
  },
  run: async ({ params: { period }, headers, call, clients }) => {
    // The ledger knows its own.
    const services = (Object.keys(closeBlockers) as BlockingService[]).filter((service) => service !== "ledger");
    const blockers = await allBlockers(period, services, call, clients);
    const { closing } = await clients.periods.closeBooks({ period, blockers, ...keyOf(headers) }, replaying(call));
    return closingOf(filled(closing, "closing"));
  },
});

const askReopening = operation({
  ...booksOperation,
  method: "post",
  path: `${booksBase}/periods/:period/reopen`,
  peopleOnly: "judgement",
  summary: "Ask another manager to open the days from a closed period on again; their packages are kept",
  sdk: { name: "reopenPeriod" },
  headers: { idempotencyKey: "required" },
  params: z.object({ period: periodIn }),
  body: z.object({ reason: reasonIn }).meta({ id: "ReopenPeriodRequest" }),
  answer: z
    .object({
      approvalId: z.string(),
      approvalStatus: shown(z.string(), "PENDING"),
      from: shown(z.string(), "2026-11-29").meta({ description: "Days from this one on." }),
    })
    .meta({ id: "PeriodReopening" }),
  message: "Re-opening asked for",
  waits: true,
  renames,
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "reopen-2025-11-29" },
    params: { period: "2025-11-29" },
    body: { reason: "A cost of the day came late" },
    answers: 202,
  },
  rpc: "periods.askReopening",
  answerFields: { from: "fromDate" },
  isWaiting: ({ approvalStatus }) => approvalStatus === "PENDING",
});

/** In the order in which the documentation shows them. */
export const closingRoutes = {
  readPeriods,
  readPeriod,
  closePeriod,
  reopenPeriod: askReopening,
};
