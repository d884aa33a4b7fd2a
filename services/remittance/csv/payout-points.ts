import { PayoutPointType } from "../../../proto/gen/remittance/v1/remittance.js";
import { parseMoney } from "../../kernel/money.js";
import { booleanCell, readTable, type Cells, type ReadTable } from "./table.js";
import { pointTypes, type PayoutPointContent } from "../domain/payout-point.js";
import { pointFromWire } from "../wire/payout-points.js";

export type NewPoint = Omit<PayoutPointContent, "pointId">;

const columns = [
  "code",
  "name",
  "type",
  "country",
  "currency",
  "city",
  "address",
  "openingHours",
  "mobileOperator",
  "minimumAmount",
  "maximumAmount",
  "allocatedTo",
  "partner",
  "enabled",
] as const;
type Column = (typeof columns)[number];

/** Reads payout points from CSV text. Refuses INVALID_INPUT as csv.ts says. */
export function pointsFromCsv(text: string): Promise<ReadTable<NewPoint>> {
  return readTable<Column, NewPoint>(text, {
    columns,
    required: ["code", "name", "type", "country", "currency", "maximumAmount"],
    read: pointFromLine,
    keyOf: ({ code }) => ({ key: code, column: "code" }),
    spelled: { minimumMinor: "minimumAmount", maximumMinor: "maximumAmount" },
  });
}

function pointFromLine(line: Cells<Column>): NewPoint {
  const type = pointTypes.find((name) => name === line.type);
  const minorOf = (column: "minimumAmount" | "maximumAmount") =>
    line[column] ? parseMoney(line[column], line.currency ?? "", column).minor : 0n;
  return pointFromWire({
    pointId: "",
    code: line.code ?? "",
    name: line.name ?? "",
    type:
      type === undefined ? PayoutPointType.PAYOUT_POINT_TYPE_UNSPECIFIED : PayoutPointType[`PAYOUT_POINT_TYPE_${type}`],
    country: line.country ?? "",
    currency: line.currency ?? "",
    city: line.city ?? "",
    address: line.address ?? "",
    openingHours: line.openingHours ?? "",
    mobileOperator: line.mobileOperator ?? "",
    minimumMinor: minorOf("minimumAmount"),
    maximumMinor: minorOf("maximumAmount"),
    allocatedTo: line.allocatedTo ?? "",
    partner: line.partner ?? "",
    enabled: booleanCell(line.enabled, "enabled") ?? true,
    version: 0,
  });
}
