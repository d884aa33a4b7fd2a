import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { parseMoney } from "../../services/kernel/money.js";
import { route } from "../route.js";
import { countryIn, currencyCode, maybe, moneyTextOrNumberIn, text } from "../schema.js";
import { absentIfEmpty, filled } from "../wire.js";
import { v6 } from "./base.js";
import { csvLoadFields, faultsFromWire, faultyLines } from "./csv-load.js";
import { pointFields, pointFromWire, pointTypes } from "./payout-point-shape.js";

const base = `${v6}/branches`;

const PointRequest = z
  .object({
    code: text(64),
    name: text(200),
    type: z.enum(pointTypes),
    country: countryIn,
    currency: currencyCode,
    address: maybe(text(300, 0)),
    city: maybe(text(100, 0)),
    openingHours: maybe(text(300, 0)),
    mobileOperator: maybe(text(100, 0)),
    minimumAmount: maybe(moneyTextOrNumberIn),
    maximumAmount: moneyTextOrNumberIn,
    allocatedTo: maybe(text(128)).meta({ description: "TENANT when absent, or an agent's user id." }),
    partner: maybe(text(100, 0)),
    enabled: maybe(z.boolean()),
  })
  .meta({ id: "PayoutPointRequest" });

const PayoutPoint = z
  .object({ ...pointFields, partner: z.string().optional(), enabled: z.boolean(), version: z.int() })
  .meta({ id: "PayoutPoint" });

const putPayoutPoint = route({
  method: "put",
  path: `${base}/payout-points`,
  operationId: "putPayoutPoint",
  tag: "Payout points",
  summary: "Create a payout point or replace what holds of it; every version is kept",
  access: ["MANAGER"],
  scopes: ["settings:write"],
  body: PointRequest,
  answer: PayoutPoint,
  message: "Payout point",
  example: {
    as: "manager@demo.example",
    body: {
      code: "NG-GTB",
      name: "Guaranty Trust Bank",
      type: "BANK",
      country: "NGA",
      currency: "NGN",
      minimumAmount: "100.00",
      maximumAmount: "5000000.00",
    },
  },
  renames: { point: "body", minimumMinor: "minimumAmount", maximumMinor: "maximumAmount" },
  run: async ({ body, call, clients }) => {
    const minor = (amount: string, path: string) => parseMoney(amount, body.currency, path).minor;
    const point = {
      code: body.code,
      name: body.name,
      type: `PAYOUT_POINT_TYPE_${body.type}` as const,
      country: body.country,
      currency: body.currency,
      address: body.address ?? "",
      city: body.city ?? "",
      openingHours: body.openingHours ?? "",
      mobileOperator: body.mobileOperator ?? "",
      minimumMinor: minor(body.minimumAmount ?? "0", "minimumAmount"),
      maximumMinor: minor(body.maximumAmount, "maximumAmount"),
      allocatedTo: body.allocatedTo ?? "",
      partner: body.partner ?? "",
      enabled: body.enabled ?? true,
    };
    const put = filled((await clients.remittance.putPayoutPoint({ point }, outgoing(call))).point, "point");
    const { partner, enabled, version } = put;
    return { ...pointFromWire(put), partner: absentIfEmpty(partner), enabled, version };
  },
});

const loadPayoutPoints = route({
  method: "post",
  path: `${base}/payout-points/load`,
  operationId: "loadPayoutPoints",
  tag: "Payout points",
  summary: "Load payout points from CSV: what is right is put, every faulty line is reported",
  access: ["MANAGER"],
  scopes: ["settings:write"],
  body: z.object(csvLoadFields).meta({ id: "PayoutPointLoad" }),
  answer: z
    .object({
      lines: z.int(),
      created: z.int(),
      changed: z.int(),
      unchanged: z.int(),
      faults: faultyLines,
    })
    .meta({ id: "PayoutPointLoadReport" }),
  message: "Payout points loaded",
  example: {
    as: "manager@demo.example",
    body: {
      csv: "code,name,type,country,currency,maximumAmount\nNG-UBA,United Bank for Africa,BANK,NGA,NGN,5000000.00\n",
    },
  },
  run: async ({ body, call, clients }) => {
    const request = { csv: body.csv, dryRun: body.dryRun ?? false };
    const { lines, created, changed, unchanged, faults } = await clients.remittance.loadPayoutPoints(
      request,
      outgoing(call),
    );
    return { lines, created, changed, unchanged, faults: faultsFromWire(faults) };
  },
});

export const payoutPointSettingRoutes = [putPayoutPoint, loadPayoutPoints];
