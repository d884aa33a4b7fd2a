import { z } from "zod";
import * as wire from "../../proto/gen/remittance/v1/remittance.js";
import { shape } from "../codec.js";
import { operation } from "../operation.js";
import { instant, text, shown } from "../schema.js";
import { v6 } from "./base.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const changeKinds = ["CORRIDOR", "MARKUP", "PROMOTION", "PAYOUT_POINT", "BRANCH"] as const;

const SettingChange = shape(
  wire.SettingChange,
  z
    .object({
      version: z.int(),
      changedAt: instant,
      changedBy: leaf.userId,
      content: shown(z.record(z.string(), z.unknown()), { code: "LAG-1" }),
    })
    .meta({ id: "SettingChange" }),
);

const listSettingChanges = operation({
  method: "get",
  path: `${v6}/transactionmanagement/setting-changes`,
  operationId: "listSettingChanges",
  tag: "Corridors",
  summary: "What of a setting was changed when and by whom, the newest version first",
  access: ["MANAGER", "AGENT"],
  scopes: ["reports:read", "settings:write"],
  query: z.object({
    kind: z.enum(changeKinds),
    key: text(160).meta({
      description: "USA-USD-NGA-NGN of a corridor, TENANT or TENANT-USD-NGN of a markup, else the code.",
    }),
    size: text(3).optional(),
    before: text(9).optional().meta({ description: "Only versions below this one." }),
  }),
  answer: z.array(SettingChange),
  message: "Changes",
  example: { as: "manager@demo.example", query: { kind: "CORRIDOR", key: "USA-USD-NGA-NGN" } },
  renames: { pageSize: "query.size" },
  rpc: "remittance.listChanges",
  asks: ({ query: { size, before, ...query } }) => ({
    ...query,
    pageSize: numberIn(size),
    beforeVersion: numberIn(before),
  }),
  gives: "changes",
});

export const settingChangeRoutes = [listSettingChanges];

/** A number of the query; what is none becomes one that the service refuses by name. */
export function numberIn(value: string | undefined): number {
  if (value === undefined) return 0;
  return /^[1-9]\d{0,8}$/.test(value) ? Number(value) : -1;
}
