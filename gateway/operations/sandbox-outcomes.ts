import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { outcomesOf, type OutcomeKind } from "../../services/platform/sandbox/sandbox-outcomes.js";
import type { Clients } from "../clients.js";
import { readerOf } from "../codec.js";
import { route } from "../route.js";
import { maybe, moneyTextOrNumberIn, text, wholeNumberIn } from "../schema.js";
import { Outcome, outcomeKinds } from "../shapes/sandbox.js";
import { v6 } from "./base.js";
import { maybeReasonIn } from "./cursor-pages.js";
import { keyOf, replaying } from "./keyed-call.js";

const base = `${v6}/sandbox`;
const tag = "Sandbox";
const manager = "manager@demo.example";
const maxTimes = 1_000_000;
const maxMs = 86_400_000;

const ends = [...new Set(Object.values(outcomesOf).flat())] as [string, ...string[]];
const endings = outcomeKinds.map((kind) => `${kind}: ${outcomesOf[kind].join(", ")}`).join("; ");

const outcomeOf = readerOf(Outcome);

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
  renames: { idempotencyKey: "headers.x-idempotency-key" },
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
    return lists.flatMap(({ outcomes }) => outcomes.map(outcomeOf));
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

export const outcomeRoutes = [forceOutcome, listOutcomes, clearOutcomes, clearOutcome];
