import type { AnyServedService } from "../../kernel/grpc/server.js";
import type { BusinessClock, BusinessTime } from "../preferences/business-clock.js";
import { serveReports, type ReportFact } from "./serve-reports.js";

/** Money that arrived and is nobody's yet. */
export interface SuspendedCredit {
  receivedAt: Date;
  minor: bigint;
  currency: string;
}

/** Those of a tenant that were received from one moment until another. */
export type ReadSuspense = (tenantId: string, from: Date, until: Date) => AsyncIterable<SuspendedCredit>;

/** What a service has in suspense, by how long it has been there. */
export function serveSuspense(
  owner: "wallet" | "lending",
  clock: Pick<BusinessClock, "forTenant">,
  read: ReadSuspense,
): AnyServedService {
  return serveReports({
    owner,
    clock,
    always: ["age", "service"],
    async *read({ from, to }, time, { tenantId }) {
      const { timeZone } = time;
      const startOf = (day: Temporal.PlainDate) => new Date(day.toZonedDateTime(timeZone).epochMilliseconds);
      const [first, behind] = [Temporal.PlainDate.from(from), Temporal.PlainDate.from(to).add({ days: 1 })];
      for await (const credit of read(tenantId, startOf(first), startOf(behind))) yield factOf(credit, owner, time);
    },
  });
}

function factOf(
  { receivedAt, minor, currency }: SuspendedCredit,
  owner: string,
  { timeZone, today }: BusinessTime,
): ReportFact {
  const received = Temporal.Instant.fromEpochMilliseconds(receivedAt.getTime()).toZonedDateTimeISO(timeZone);
  const day = received.toPlainDate();
  const age = ageOf(day.until(today()).days);
  const about = { day: day.toString(), month: day.toString().slice(0, 7), age, service: owner, currency };
  return { about, figures: { count: 1n, amount: minor } };
}

/** Days as ranges: books do not close over what is older than thirty. */
function ageOf(days: number): string {
  if (days <= 7) return "0-7";
  return days <= 30 ? "8-30" : "31+";
}
