import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { outcomesOf, type OutcomeKind } from "../../services/platform/sandbox/sandbox-outcomes.js";
import type { Clients } from "../clients.js";
import { readerOf } from "../codec.js";
import { route, v6, keyOf, replaying, everyRole } from "../route.js";
import { maybe, moneyTextOrNumberIn, text, wholeNumberIn, maybeReasonIn, sizeOf } from "../schema.js";
import { Outcome, outcomeKinds, BusinessClock, SandboxMessage } from "../shapes/sandbox.js";
import { operation } from "../operation.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const base = `${v6}/sandbox`;
const tag = "Sandbox";
const inSandbox = { tag, access: ["MANAGER"], scopes: ["sandbox:force"], sandboxOnly: true } as const;
const manager = "manager@demo.example";
const maxTimes = 1_000_000;
const maxMs = 86_400_000;

const ends = [...new Set(Object.values(outcomesOf).flat())] as [string, ...string[]];
const endings = outcomeKinds.map((kind) => `${kind}: ${outcomesOf[kind].join(", ")}`).join("; ");
const outcomeOf = readerOf(Outcome);

const forceOutcome = route({
  ...inSandbox,
  method: "post",
  path: `${base}/outcomes`,
  summary: "Say how a sandbox's payouts, transfers, card charges, checks and compliance decisions end",
  sdk: { inSandbox: { name: "forcePayout", fixed: { of: "PAYOUT" } } },
  headers: { idempotencyKey: "required" },
  body: z
    .object({
      of: z.enum(outcomeKinds),
      outcome: z.enum(ends).meta({ description: endings }),
      subject: maybe(text(320)).meta({
        description:
          "The id of a transaction, withdrawal or top-up; of a payout also the recipient's customer code; of a check the " +
          "account number, BVN or contact; of a decision a customer's or transaction's id. Absent: the next one.",
      }),
      times: maybe(wholeNumberIn(0, maxTimes)).meta({
        description:
          "1 when absent; 0 until it is cleared. Of payouts and decisions it is over after 30 days in any case.",
      }),
      settleMs: maybe(wholeNumberIn(0, maxMs)).meta({ description: "From acceptance to payment." }),
      delayMs: maybe(wholeNumberIn(0, maxMs)).meta({
        description: "How late the answer is, or the return after the payment.",
      }),
      reason: maybeReasonIn,
      kept: maybe(moneyTextOrNumberIn).meta({ description: "Of RETURN: what the recipient's bank keeps." }),
    })
    .meta({ id: "ForceOutcomeRequest" }),
  answer: Outcome,
  message: "Outcome forced",
  example: {
    as: manager,
    sandbox: true,
    headers: { "x-idempotency-key": "refuse-the-next-payout" },
    body: { of: "CONTACT_VERIFICATION", outcome: "REFUSE", subject: "nobody@example.com", times: 1 },
  },
  run: async ({ body, headers, call, clients }) => {
    const request = { outcome: { ...body, times: body.times ?? 1 }, ...keyOf(headers) };
    const forced = await keeperOf(body.of, clients).forceOutcome(request, replaying(call));
    return outcomeOf(forced.outcome);
  },
});

const listForcedOutcomes = route({
  ...inSandbox,
  method: "get",
  path: `${base}/outcomes`,
  summary: "List what is forced in a sandbox at this moment",
  answer: z.array(Outcome),
  message: "Forced outcomes",
  example: { as: manager, sandbox: true },
  run: async ({ call, clients }) => {
    const lists = await Promise.all(keepers(clients).map((keeper) => keeper.listOutcomes({}, outgoing(call))));
    return lists.flatMap(({ outcomes }) => outcomes.map(outcomeOf));
  },
});

const Cleared = z
  .object({ cleared: z.bigint().meta({ override: { type: "integer" } }) })
  .meta({ id: "ClearedOutcomes" });

const clearForcedOutcomes = route({
  ...inSandbox,
  method: "delete",
  path: `${base}/outcomes`,
  summary: "Take back everything that is forced in a sandbox",
  answer: Cleared,
  message: "Back to good behaviour",
  example: { as: manager, sandbox: true },
  run: async ({ call, clients }) => cleared("", keepers(clients), outgoing(call)),
});

const clearForcedOutcome = route({
  ...inSandbox,
  method: "delete",
  path: `${base}/outcomes/:outcomeId`,
  summary: "Take back one forced outcome; one that is not there, or is used up, is no fault",
  params: z.object({ outcomeId: text(64) }),
  answer: Cleared,
  message: "Outcome taken back",
  example: { as: manager, sandbox: true, params: { outcomeId: "00000000000000000000000000000000" } },
  run: async ({ params, call, clients }) => cleared(params.outcomeId, keepers(clients), outgoing(call)),
});

type Keeper = Clients["sandbox"]["walletOutcomes"];

function keepers({ sandbox }: Clients): Keeper[] {
  return [sandbox.remittanceOutcomes, sandbox.walletOutcomes, sandbox.complianceOutcomes];
}

function keeperOf(kind: OutcomeKind, { sandbox }: Clients): Keeper {
  if (kind === "PAYOUT" || kind === "AMENDMENT") return sandbox.remittanceOutcomes;
  if (kind === "CONTACT_VERIFICATION" || kind === "COMPLIANCE_DECISION") return sandbox.complianceOutcomes;
  return sandbox.walletOutcomes;
}

async function cleared(outcomeId: string, all: Keeper[], options: ReturnType<typeof outgoing>) {
  const counts = await Promise.all(all.map((keeper) => keeper.clearOutcomes({ outcomeId }, options)));
  return { cleared: BigInt(counts.reduce((sum, one) => sum + one.cleared, 0)) };
}

// One step moves the clock by ten years at most.
const maxDays = 3_660;

/** Ours: real time, save in a sandbox whose date was moved. */
export const readBusinessClock = operation({
  method: "get",
  path: `${v6}/admin/business-clock`,
  tag: "Organisation",
  summary: "Read what time it is for the organisation's business",
  access: everyRole,
  scopes: ["organisation:read"],
  answer: BusinessClock,
  message: "Business clock",
  example: { as: "manager@demo.example" },
  rpc: "identity.getTenantClock",
});

/** Ours: only under /sandbox; lifetimes of tokens and keys stay as they are. */
export const advanceBusinessDate = operation({
  method: "post",
  path: `${v6}/admin/business-clock/advance`,
  tag: "Organisation",
  summary: "Move the sandbox's business date on by whole days",
  access: ["MANAGER"],
  scopes: ["settings:write"],
  sdk: { inSandbox: { name: "moveDate" } },
  headers: { idempotencyKey: "required" },
  body: z.object({ days: wholeNumberIn(1, maxDays) }).meta({ id: "AdvanceBusinessDateRequest" }),
  answer: BusinessClock,
  message: "Business date moved on",
  example: {
    as: "manager@demo.example",
    sandbox: true,
    headers: { "x-idempotency-key": "month-end-2026-11" },
    body: { days: 30 },
  },
  rpc: "identity.advanceBusinessDate",
});

const settlePayout = operation({
  ...inSandbox,
  method: "post",
  path: `${base}/payouts/:transactionId/settle`,
  summary: "Let the partner pay or refuse at once a payout that it has accepted, as one that stalls",
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
  ...inSandbox,
  method: "post",
  path: `${base}/payouts/:transactionId/return`,
  summary: "Let the recipient's bank send a paid payout back, less what it keeps",
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
  ...inSandbox,
  method: "put",
  path: `${base}/bvns/:bvn`,
  summary: "Say whose a bank verification number is in a sandbox's register",
  sdk: { name: "putBvn" },
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

const listSandboxMessages = operation({
  method: "get",
  path: `${base}/messages`,
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

export const sandboxRoutes = {
  forceOutcome,
  listForcedOutcomes,
  clearForcedOutcomes,
  clearForcedOutcome,
  settlePayout,
  returnPayout,
  putBvn,
  listSandboxMessages,
};
