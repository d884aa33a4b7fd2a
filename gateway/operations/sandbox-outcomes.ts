import { z } from "zod";
import type { Outcome as WireOutcome } from "../../proto/gen/sandbox/v1/sandbox.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { outcomesOf, type OutcomeKind } from "../../services/platform/sandbox/sandbox-outcomes.js";
import type { Clients } from "../clients.js";
import { route } from "../route.js";
import { instant, maybe, moneyTextOrNumberIn, text, wholeNumberIn } from "../schema.js";
import { filled, timeText } from "../wire.js";
import { answerNothing, everyRole, v6 } from "./base.js";
import { sizeOf, maybeReasonIn } from "./cursor-pages.js";
import { sandboxPayoutRoutes } from "./sandbox-payouts.js";

const base = `${v6}/sandbox`;
const tag = "Sandbox";
const manager = "manager@demo.example";
const maxTimes = 1_000_000;
const maxMs = 86_400_000;

const kinds = Object.keys(outcomesOf) as [OutcomeKind, ...OutcomeKind[]];
const ends = [...new Set(Object.values(outcomesOf).flat())] as [string, ...string[]];
const endings = kinds.map((kind) => `${kind}: ${outcomesOf[kind].join(", ")}`).join("; ");

const Outcome = z
  .object({
    outcomeId: z.string(),
    of: z.enum(kinds),
    outcome: z.string(),
    subject: z.string().optional().meta({ description: "Absent where it is for the next one." }),
    times: z
      .bigint()
      .optional()
      .meta({ override: { type: "integer" }, description: "How often it still holds; absent until it is cleared." }),
    settleMs: z
      .bigint()
      .optional()
      .meta({ override: { type: "integer" } }),
    delayMs: z
      .bigint()
      .optional()
      .meta({ override: { type: "integer" } }),
    reason: z.string().optional(),
    kept: z.string().optional(),
  })
  .meta({ id: "ForcedOutcome" });

const forceOutcome = route({
  method: "post",
  path: `${base}/outcomes`,
  operationId: "forceOutcome",
  tag,
  summary: "Say how a sandbox's payouts, transfers, card charges, checks and compliance decisions end",
  access: ["MANAGER"],
  scopes: ["sandbox:force"],
  sdk: { inSandbox: { name: "forcePayout", fixed: { of: "PAYOUT" } } },
  sandboxOnly: true,
  headers: { idempotencyKey: "required" },
  body: z
    .object({
      of: z.enum(kinds),
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
  renames: { idempotencyKey: "headers.x-idempotency-key" },
  example: {
    as: manager,
    sandbox: true,
    headers: { "x-idempotency-key": "refuse-the-next-payout" },
    body: { of: "CONTACT_VERIFICATION", outcome: "REFUSE", subject: "nobody@example.com", times: 1 },
  },
  run: async ({ body, headers, call, clients }) => {
    const { times = 1, settleMs = 0, delayMs = 0, subject = "", reason = "", kept = "", ...rest } = body;
    const outcome = { ...rest, subject, reason, kept, times, settleMs, delayMs };
    const request = { idempotencyKey: headers["x-idempotency-key"] ?? "", outcome };
    const options = outgoing(call, { onReplayed: call.markReplayed });
    const forced = await keeperOf(body.of, clients).forceOutcome(request, options);
    return outcomeFromWire(filled(forced.outcome, "outcome"));
  },
});

const listOutcomes = route({
  method: "get",
  path: `${base}/outcomes`,
  operationId: "listForcedOutcomes",
  tag,
  summary: "List what is forced in a sandbox at this moment",
  access: ["MANAGER"],
  scopes: ["sandbox:force"],
  sandboxOnly: true,
  answer: z.array(Outcome),
  message: "Forced outcomes",
  example: { as: manager, sandbox: true },
  run: async ({ call, clients }) => {
    const lists = await Promise.all(keepers(clients).map((keeper) => keeper.listOutcomes({}, outgoing(call))));
    return lists.flatMap(({ outcomes }) => outcomes.map(outcomeFromWire));
  },
});

const Cleared = z
  .object({ cleared: z.bigint().meta({ override: { type: "integer" } }) })
  .meta({ id: "ClearedOutcomes" });

const clearOutcomes = route({
  method: "delete",
  path: `${base}/outcomes`,
  operationId: "clearForcedOutcomes",
  tag,
  summary: "Take back everything that is forced in a sandbox",
  access: ["MANAGER"],
  scopes: ["sandbox:force"],
  sandboxOnly: true,
  answer: Cleared,
  message: "Back to good behaviour",
  example: { as: manager, sandbox: true },
  run: async ({ call, clients }) => cleared("", keepers(clients), outgoing(call)),
});

const clearOutcome = route({
  method: "delete",
  path: `${base}/outcomes/:outcomeId`,
  operationId: "clearForcedOutcome",
  tag,
  summary: "Take back one forced outcome; one that is not there, or is used up, is no fault",
  access: ["MANAGER"],
  scopes: ["sandbox:force"],
  sandboxOnly: true,
  params: z.object({ outcomeId: text(64) }),
  answer: Cleared,
  message: "Outcome taken back",
  example: { as: manager, sandbox: true, params: { outcomeId: "00000000000000000000000000000000" } },
  run: async ({ params, call, clients }) => cleared(params.outcomeId, keepers(clients), outgoing(call)),
});

const BvnEntry = z
  .object({
    firstName: text(100),
    lastName: text(100),
    dateOfBirth: maybe(z.iso.date()),
    phoneNumber: maybe(text(20)),
  })
  .meta({ id: "BvnEntry" });

const putBvn = route({
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
  run: ({ params, body, call, clients }) => {
    const { dateOfBirth = "", phoneNumber = "", ...name } = body;
    const request = { ...params, ...name, dateOfBirth, phoneNumber };
    return answerNothing(clients.sandbox.register.putBvn(request, outgoing(call)));
  },
});

const Message = z
  .object({
    reference: z.string(),
    channel: z.enum(["EMAIL", "SMS"]),
    to: z.string(),
    subject: z.string(),
    text: z.string(),
    code: z.string().optional().meta({ description: "The code of six digits that the text carries, where it does." }),
    sentAt: instant,
  })
  .meta({ id: "SandboxMessage" });

const listMessages = route({
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
  answer: z.object({ messages: z.array(Message), cursor: z.string().optional() }).meta({ id: "SandboxMessages" }),
  message: "Messages sent",
  example: { as: "amina@demo.example", sandbox: true },
  run: async ({ query, call, clients }) => {
    const request = { to: query.to ?? "", cursor: query.cursor ?? "", limit: Number(query.size ?? 0) };
    const { messages, cursor } = await clients.sandbox.messages.listMessages(request, outgoing(call));
    return {
      messages: messages.map(({ code, sentAt, channel, ...message }) => ({
        ...message,
        channel: channel as "EMAIL" | "SMS",
        ...(code !== "" && { code }),
        sentAt: timeText(sentAt, "message.sent_at"),
      })),
      ...(cursor !== "" && { cursor }),
    };
  },
});

type Keeper = Clients["sandbox"]["walletOutcomes"];

function keepers({ sandbox }: Clients): Keeper[] {
  return [sandbox.remittanceOutcomes, sandbox.walletOutcomes, sandbox.complianceOutcomes];
}

function keeperOf(kind: OutcomeKind, { sandbox }: Clients): Keeper {
  if (kind === "PAYOUT") return sandbox.remittanceOutcomes;
  if (kind === "CONTACT_VERIFICATION" || kind === "COMPLIANCE_DECISION") return sandbox.complianceOutcomes;
  return sandbox.walletOutcomes;
}

async function cleared(outcomeId: string, all: Keeper[], options: ReturnType<typeof outgoing>) {
  const counts = await Promise.all(all.map((keeper) => keeper.clearOutcomes({ outcomeId }, options)));
  return { cleared: BigInt(counts.reduce((sum, one) => sum + one.cleared, 0)) };
}

function outcomeFromWire({ outcomeId, of, outcome, ...rest }: WireOutcome): z.output<typeof Outcome> {
  const given = Object.entries(rest).filter(([, value]) => value !== "" && value !== 0);
  const shown = given.map(([name, value]) => [name, typeof value === "number" ? BigInt(value) : value]);
  return { outcomeId, of: of as OutcomeKind, outcome, ...Object.fromEntries(shown) };
}

export const sandboxRoutes = [
  forceOutcome,
  listOutcomes,
  clearOutcomes,
  clearOutcome,
  ...sandboxPayoutRoutes,
  putBvn,
  listMessages,
];
