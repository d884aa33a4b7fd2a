import { z } from "zod";
import type { TenantClock } from "../../proto/gen/identity/v1/identity.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { route } from "../route.js";
import { instant, wholeNumberIn } from "../schema.js";
import { filled, timeText } from "../wire.js";
import { everyRole, v6 } from "./base.js";

const clockBase = `${v6}/admin/business-clock`;
// One step moves the clock by ten years at most.
const maxDays = 3_660;

const BusinessClock = z
  .object({
    businessTime: instant.meta({ description: "What time it is for the organisation's business." }),
    businessDate: z.string().meta({ format: "date", description: "The day of businessTime in timeZone." }),
    timeZone: z.string(),
    sandbox: z.boolean(),
  })
  .meta({ id: "BusinessClock" });

/** Ours: real time, save in a sandbox whose date was moved. */
export const readBusinessClock = route({
  method: "get",
  path: clockBase,
  operationId: "readBusinessClock",
  tag: "Organisation",
  summary: "Read what time it is for the organisation's business",
  access: everyRole,
  scopes: ["organisation:read"],
  answer: BusinessClock,
  message: "Business clock",
  example: { as: "manager@demo.example" },
  run: async ({ call, clients }) => {
    const { clock } = await clients.identity.getTenantClock({}, outgoing(call));
    return clockFromWire(filled(clock, "clock"));
  },
});

/** Ours: only under /sandbox; lifetimes of tokens and keys stay as they are. */
export const advanceBusinessDate = route({
  method: "post",
  path: `${clockBase}/advance`,
  operationId: "advanceBusinessDate",
  tag: "Organisation",
  summary: "Move the sandbox's business date on by whole days",
  access: ["MANAGER"],
  scopes: ["settings:write"],
  sdk: { inSandbox: { name: "moveDate" } },
  headers: { idempotencyKey: "required" },
  body: z.object({ days: wholeNumberIn(1, maxDays) }).meta({ id: "AdvanceBusinessDateRequest" }),
  answer: BusinessClock,
  message: "Business date moved on",
  renames: { idempotencyKey: "headers.x-idempotency-key" },
  example: {
    as: "manager@demo.example",
    sandbox: true,
    headers: { "x-idempotency-key": "month-end-2026-11" },
    body: { days: 30 },
  },
  run: async ({ body, headers, call, clients }) => {
    const request = { days: body.days, idempotencyKey: headers["x-idempotency-key"] ?? "" };
    const { clock } = await clients.identity.advanceBusinessDate(
      request,
      outgoing(call, { onReplayed: call.markReplayed }),
    );
    return clockFromWire(filled(clock, "clock"));
  },
});

function clockFromWire({ businessTime, businessDate, timeZone, sandbox }: TenantClock): z.output<typeof BusinessClock> {
  return { businessTime: timeText(businessTime, "clock.business_time"), businessDate, timeZone, sandbox };
}
