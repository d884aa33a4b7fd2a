import type { Application } from "../domain/application.js";
import { day, type ApplicationRow } from "./collections.js";

export function applicationToDocument(application: Application): Omit<ApplicationRow, "tenantId"> {
  const { applicationId, total, appliedOn, isWaiting: _is, waiting: _waiting, ending: _ending, ...rest } = application;
  return {
    _id: applicationId,
    ...rest,
    appliedOn: appliedOn.toString(),
    totalMinor: total.minor,
    currency: total.currency,
    status: "PENDING",
  };
}

export function endingToDocument(ending: NonNullable<Application["ending"]>): NonNullable<ApplicationRow["ending"]> {
  if (ending.status !== "COMPLETED") return ending as never;
  const { maturity, ...rest } = ending;
  return { ...rest, ...(maturity !== undefined && { maturity: maturity.toString() }) };
}

export function applicationFromDocument(row: ApplicationRow): Application {
  const { _id, tenantId: _tenantId, status, totalMinor, currency, appliedOn, waiting, ending, ...rest } = row;
  return {
    ...rest,
    applicationId: _id,
    total: { minor: totalMinor, currency },
    appliedOn: day(appliedOn),
    isWaiting: status === "WAITING",
    ...(waiting !== undefined && { waiting: { ...waiting, until: day(waiting.until) } }),
    ...(ending !== undefined && { ending: endingFromDocument(ending) }),
  };
}

function endingFromDocument(ending: NonNullable<ApplicationRow["ending"]>): NonNullable<Application["ending"]> {
  if (ending.status !== "COMPLETED") return ending as never;
  const { maturity, ...rest } = ending as { status: "COMPLETED"; holdingId: string; maturity?: string };
  return { ...rest, ...(maturity !== undefined && { maturity: day(maturity) }) };
}
