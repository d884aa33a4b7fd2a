import { z } from "zod";
import { operation } from "../operation.js";
import { maybe, moneyTextOrNumberIn, text, wholeNumberIn } from "../schema.js";
import { BusinessClock, SandboxMessage } from "../shapes/sandbox.js";
import { everyRole, v6 } from "./base.js";
import { maybeReasonIn, sizeOf } from "./cursor-pages.js";
import { outcomeRoutes } from "./sandbox-outcomes.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const base = `${v6}/sandbox`;
const tag = "Sandbox";
const manager = "manager@demo.example";
const clockBase = `${v6}/admin/business-clock`;
// One step moves the clock by ten years at most.
const maxDays = 3_660;

/** Ours: real time, save in a sandbox whose date was moved. */
export const readBusinessClock = operation({
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
  rpc: "identity.getTenantClock",
  gives: "clock",
});

/** Ours: only under /sandbox; lifetimes of tokens and keys stay as they are. */
export const advanceBusinessDate = operation({
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
  rpc: "identity.advanceBusinessDate",
  gives: "clock",
});

const settlePayout = operation({
  method: "post",
  path: `${base}/payouts/:transactionId/settle`,
  operationId: "settlePayout",
  tag,
  summary: "Let the partner pay or refuse at once a payout that it has accepted, as one that stalls",
  access: ["MANAGER"],
  scopes: ["sandbox:force"],
  sandboxOnly: true,
  params: z.object({ transactionId: text(64) }),
  body: z
    .object({
      outcome: z.enum(["PAID", "REFUSED"]),
      reason: maybeReasonIn.meta({ description: "Of REFUSED." }),
    })
    .meta({ id: "SettlePayoutRequest" }),
  answer: z.object({}),
  message: "The payout is settled",
  example: {
    as: manager,
    sandbox: true,
    params: { transactionId: "00000000-0000-7000-8000-000000000000" },
    body: { outcome: "REFUSED", reason: "account closed" },
    answers: 404,
  },
  rpc: "sandboxPayouts.settlePayout",
});

const returnPayout = operation({
  method: "post",
  path: `${base}/payouts/:transactionId/return`,
  operationId: "returnPayout",
  tag,
  summary: "Let the recipient's bank send a paid payout back, less what it keeps",
  access: ["MANAGER"],
  scopes: ["sandbox:force"],
  sandboxOnly: true,
  params: z.object({ transactionId: text(64) }),
  body: z.object({ kept: maybe(moneyTextOrNumberIn) }).meta({ id: "ReturnPayoutRequest" }),
  bodyOptional: true,
  answer: z.object({}),
  message: "The payout comes back",
  example: {
    as: manager,
    sandbox: true,
    params: { transactionId: "00000000-0000-7000-8000-000000000000" },
    body: { kept: "0" },
    answers: 404,
  },
  rpc: "sandboxPayouts.returnPayout",
});

const BvnEntry = z
  .object({
    firstName: text(100),
    lastName: text(100),
    dateOfBirth: maybe(z.iso.date()),
    phoneNumber: maybe(text(20)),
  })
  .meta({ id: "BvnEntry" });

const putBvn = operation({
  method: "put",
  path: `${base}/bvns/:bvn`,
  operationId: "putBvn",
  tag,
  summary: "Say whose a bank verification number is in a sandbox's register",
  access: ["MANAGER"],
  scopes: ["sandbox:force"],
  sdk: { name: "putBvn" },
  sandboxOnly: true,
  params: z.object({ bvn: z.string().regex(/^\d{11}$/, "must be eleven digits") }),
  body: BvnEntry,
  answer: z.object({}),
  message: "The register has it",
  example: {
    as: manager,
    sandbox: true,
    params: { bvn: "22123450000" },
    body: { firstName: "Amina", lastName: "Bello" },
  },
  rpc: "sandboxRegister.putBvn",
});

const listMessages = operation({
  method: "get",
  path: `${base}/messages`,
  operationId: "listSandboxMessages",
  tag,
  summary: "Read e-mails and text messages that a sandbox sent, newest first: all of them as a MANAGER, else one's own",
  access: everyRole,
  scopes: ["sandbox:force"],
  sandboxOnly: true,
  query: z.object({
    to: text(320).optional().meta({ description: "An e-mail address or a phone number." }),
    cursor: text(40).optional(),
    size: sizeOf(20),
  }),
  answer: z
    .object({ messages: z.array(SandboxMessage), cursor: leaf.nextCursor.optional() })
    .meta({ id: "SandboxMessages" }),
  message: "Messages sent",
  example: { as: "amina@demo.example", sandbox: true },
  rpc: "sandboxMessages.listMessages",
  fields: { size: "limit" },
});

export const sandboxRoutes = [...outcomeRoutes, settlePayout, returnPayout, putBvn, listMessages];
