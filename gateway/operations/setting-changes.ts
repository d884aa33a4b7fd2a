import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { route } from "../route.js";
import { instant, text } from "../schema.js";
import { timeText } from "../wire.js";
import { v6 } from "./base.js";

const changeKinds = ["CORRIDOR", "MARKUP", "PROMOTION", "PAYOUT_POINT", "BRANCH"] as const;

const listSettingChanges = route({
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
  answer: z.array(
    z
      .object({
        version: z.int(),
        changedAt: instant,
        changedBy: z.string(),
        content: z.record(z.string(), z.unknown()),
      })
      .meta({ id: "SettingChange" }),
  ),
  message: "Changes",
  example: { as: "manager@demo.example", query: { kind: "CORRIDOR", key: "USA-USD-NGA-NGN" } },
  renames: { pageSize: "query.size" },
  run: async ({ query, call, clients }) => {
    const page = { pageSize: numberIn(query.size), beforeVersion: numberIn(query.before) };
    const request = { kind: query.kind, key: query.key, ...page };
    const { changes } = await clients.remittance.listChanges(request, outgoing(call));
    return changes.map(({ version, changedAt, changedBy, content }) => ({
      version,
      changedAt: timeText(changedAt, "changed_at"),
      changedBy,
      content: content ?? {},
    }));
  },
});

export const settingChangeRoutes = [listSettingChanges];

/** A number of the query; what is none becomes one that the service refuses by name. */
export function numberIn(value: string | undefined): number {
  if (value === undefined) return 0;
  return /^[1-9]\d{0,8}$/.test(value) ? Number(value) : -1;
}
