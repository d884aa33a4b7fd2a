import { z } from "zod";
import type { PayoutPoint as WirePoint } from "../../proto/gen/remittance/v1/remittance.js";
import { formatMoney, money } from "../../services/kernel/money.js";
import { decimalText } from "../schema.js";
import { absentIfEmpty, enumName } from "../wire.js";

export const pointTypes = ["BANK", "MOBILE_MONEY", "CASH", "WALLET"] as const;

export const pointFields = {
  id: z.string(),
  name: z.string(),
  type: z.enum(pointTypes),
  code: z.string(),
  country: z.string(),
  currency: z.string(),
  address: z.string().optional(),
  city: z.string().optional(),
  openingHours: z.string().optional(),
  mobileOperator: z.string().optional(),
  minimumAmount: decimalText.meta({ description: "Of what is paid out there, in currency." }),
  maximumAmount: decimalText,
  allocatedTo: z.string().meta({ description: "TENANT or an agent's user id." }),
};

export function pointFromWire(point: WirePoint) {
  const { code, name, country, currency, allocatedTo } = point;
  const amount = (minor: bigint) => formatMoney(money(minor, currency));
  return {
    id: point.pointId,
    name,
    type: enumName(point.type, "PAYOUT_POINT_TYPE_") as (typeof pointTypes)[number],
    code,
    country,
    currency,
    address: absentIfEmpty(point.address),
    city: absentIfEmpty(point.city),
    openingHours: absentIfEmpty(point.openingHours),
    mobileOperator: absentIfEmpty(point.mobileOperator),
    minimumAmount: amount(point.minimumMinor),
    maximumAmount: amount(point.maximumMinor),
    allocatedTo,
  };
}
