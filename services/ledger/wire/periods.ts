import { PackageStatus, type Closing as WireClosing } from "../../../proto/gen/ledger/v1/periods.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import { invalidInput } from "../../kernel/refusal.js";
import type { Closing } from "../domain/closing.js";
import { dayText } from "../domain/days.js";
import { parsePeriod, type Period } from "../domain/periods.js";

const statuses = {
  QUEUED: PackageStatus.PACKAGE_STATUS_QUEUED,
  RUNNING: PackageStatus.PACKAGE_STATUS_RUNNING,
  DONE: PackageStatus.PACKAGE_STATUS_DONE,
} as const;

/** Refuses INVALID_INPUT. */
export function periodFromWire(name: string, path = "period"): Period {
  const period = parsePeriod(name);
  if (period === undefined) throw invalidInput(path, 'must be a day, a month or a year, such as "2026-11-30"');
  return period;
}

export function closingToWire(closing: Closing): WirePartial<WireClosing> {
  const { number, period, afterSeq, throughSeq, headHash, mappingVersion, closedBy, closedAt } = closing;
  const { status, transfers, files } = closing.package;
  return {
    number,
    period,
    fromDate: dayText(closing.first),
    throughDate: dayText(closing.last),
    afterSequence: afterSeq,
    throughSequence: throughSeq,
    headHash,
    mappingVersion,
    closedBy,
    closedAt,
    ...(closing.supersededAt !== undefined && { supersededAt: closing.supersededAt }),
    supersededBy: closing.supersededBy ?? "",
    packageStatus: statuses[status],
    packageTransfers: BigInt(transfers),
    files: files.map(({ name, bytes, sha256 }) => ({ name, bytes: BigInt(bytes), sha256 })),
  };
}
