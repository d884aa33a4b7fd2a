import { createHash } from "node:crypto";
import { z } from "zod";
import { OutcomesServiceDefinition, type Outcome } from "../../../proto/gen/sandbox/v1/sandbox.js";
import { actorOf, type Call } from "../../kernel/grpc/context.js";
import { alsoServe, type AnyServedService, type RpcAccess } from "../../kernel/grpc/server.js";
import type { PartnerAnswer, Sender } from "../partners/sender.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { isSandbox } from "./sandbox.js";
import { maxReasonLength } from "../../kernel/text/reason.js";

const ofChecks = ["ACCEPT", "REFUSE", "HANG", "LOSE_ANSWER", "ANSWER_LATE"] as const;
const ofTransfers = [...ofChecks, "REFUSE_LATER", "STALL", "RETURN"] as const;

/** What a sandbox can force, and how it can end; who is asked keeps it. */
export const outcomesOf = {
  PAYOUT: [...ofTransfers, "ANSWER_TWICE"],
  AMENDMENT: [...ofChecks, "STALL"],
  BANK_TRANSFER: ofTransfers,
  CARD_CHARGE: [...ofChecks, "STALL"],
  ACCOUNT_CHECK: ofChecks,
  BVN_LOOKUP: ofChecks,
  CONTACT_VERIFICATION: ofChecks,
  COMPLIANCE_DECISION: ["REVIEW", "REJECT", "SCREENING_UNAVAILABLE"],
} as const;

export type OutcomeKind = keyof typeof outcomesOf;

export interface ForcedOutcome {
  id: string;
  of: OutcomeKind;
  outcome: string;
  /** Absent for the next one, whichever it is. */
  subject?: string;
  /** Absent until it is taken back. */
  times?: number;
  settleMs?: number;
  delayMs?: number;
  reason?: string;
  kept?: string;
}

export interface OutcomeKeeper {
  kinds: readonly OutcomeKind[];
  /** "known" where the id was given before with the same content, "other" with other content. */
  force(outcome: ForcedOutcome, call: Call): Promise<"new" | "known" | "other">;
  list(call: Call): Promise<ForcedOutcome[]>;
  /** One, or all; how many it were. */
  clear(id: string | undefined, call: Call): Promise<number>;
}

const most = { times: 1_000_000, milliseconds: 86_400_000, subject: 320, reason: maxReasonLength };
const decimal = /^(0|[1-9]\d{0,18})(\.\d{1,4})?$/;

/**
 * Forced outcomes of a sandbox, to be served beside the service that they are of. A live tenant
 * finds nothing here.
 */
export function serveOutcomes(...keepers: readonly OutcomeKeeper[]): AnyServedService {
  const managers: RpcAccess = { callers: ["gateway"], user: "required", roles: ["MANAGER"] };
  return alsoServe<OutcomesServiceDefinition>({
    definition: OutcomesServiceDefinition,
    access: { forceOutcome: managers, listOutcomes: managers, clearOutcomes: managers },
    handlers: {
      async forceOutcome({ idempotencyKey, outcome }, call) {
        assertSandbox(call.tenantId);
        if (idempotencyKey === "") throw invalidInput("idempotencyKey", "is required");
        const forced = outcomeFromWire(outcome, idOf(actorOf(call), idempotencyKey));
        const keeper = keepers.find(({ kinds }) => kinds.includes(forced.of));
        if (keeper === undefined) throw invalidInput("of", "is not an outcome of this service");
        const stored = await keeper.force(forced, call);
        if (stored === "other") throw new Refusal("IDEMPOTENCY_KEY_REUSED", "the key was used for another outcome");
        if (stored === "known") call.markReplayed();
        return { outcome: outcomeToWire(forced) };
      },
      async listOutcomes(_request, call) {
        assertSandbox(call.tenantId);
        const all = await Promise.all(keepers.map((keeper) => keeper.list(call)));
        return { outcomes: all.flat().map(outcomeToWire) };
      },
      async clearOutcomes({ outcomeId }, call) {
        assertSandbox(call.tenantId);
        const id = outcomeId === "" ? undefined : outcomeId;
        const cleared = await Promise.all(keepers.map((keeper) => keeper.clear(id, call)));
        return { cleared: cleared.reduce((sum, one) => sum + one, 0) };
      },
    },
  });
}

/** Refuses NOT_FOUND: for a live tenant there is no such thing. */
export function assertSandbox(tenantId: string): void {
  if (!isSandbox(tenantId)) throw new Refusal("NOT_FOUND", "this is found in a sandbox only");
}

/** Who gave a key, and the key: the same outcome again, whoever else uses the same key. */
function idOf(actor: string, key: string): string {
  return createHash("sha256")
    .update(JSON.stringify([actor, key]))
    .digest("hex")
    .slice(0, 32);
}

function outcomeFromWire(wire: Outcome | undefined, id: string): ForcedOutcome {
  if (wire === undefined) throw invalidInput("outcome", "is required");
  const { of, outcome, subject, times, settleMs, delayMs, reason, kept } = wire;
  if (!Object.hasOwn(outcomesOf, of)) throw invalidInput("of", `must be one of ${Object.keys(outcomesOf).join(", ")}`);
  const kind = of as OutcomeKind;
  const possible: readonly string[] = outcomesOf[kind];
  if (!possible.includes(outcome)) throw invalidInput("outcome", `of ${kind} must be one of ${possible.join(", ")}`);
  if (subject.length > most.subject) throw invalidInput("subject", `must not be longer than ${most.subject}`);
  if (reason.length > most.reason) throw invalidInput("reason", `must not be longer than ${most.reason}`);
  if (times < 0 || times > most.times) throw invalidInput("times", `must be 1 to ${most.times}`);
  for (const [name, ms] of Object.entries({ settleMs, delayMs })) {
    if (ms < 0 || ms > most.milliseconds) throw invalidInput(name, `must be 0 to ${most.milliseconds}`);
  }
  if (kept !== "" && !decimal.test(kept)) throw invalidInput("kept", "must be a decimal number such as 2.50");
  return {
    id,
    of: kind,
    outcome,
    ...(subject !== "" && { subject }),
    ...(times !== 0 && { times }),
    ...(settleMs !== 0 && { settleMs }),
    ...(delayMs !== 0 && { delayMs }),
    ...(reason !== "" && { reason }),
    ...(kept !== "" && { kept }),
  };
}

function outcomeToWire({ id, ...outcome }: ForcedOutcome) {
  return { outcomeId: id, ...outcome };
}

const listSchema = z.object({
  outcomes: z.array(
    z
      .object({
        id: z.string(),
        of: z.string().optional(),
        behaviour: z.string(),
        reference: z.string().optional(),
        times: z.int().optional(),
        settleMs: z.int().optional(),
        delayMs: z.int().optional(),
        reason: z.string().optional(),
        kept: z.string().optional(),
      })
      .transform(({ behaviour, reference, ...rest }) => ({ ...rest, outcome: behaviour, subject: reference })),
  ),
});
const clearedSchema = z.object({ ended: z.int() });
const storedSchema = z.object({ isNew: z.boolean() });

/**
 * Outcomes that the sandbox partner keeps, in books that outlive it. Of a tenant that it does not
 * serve nothing is forced.
 */
export function createPartnerOutcomes(
  send: Sender,
  kinds: readonly OutcomeKind[],
  serves: (tenantId: string) => boolean = () => true,
): OutcomeKeeper {
  const path = "/v1/sandbox/outcomes";
  const through = ({ tenantId, signal }: Call) => ({ tenantId, signal });
  return {
    kinds,
    async force({ id, outcome: behaviour, subject, ...rest }, call) {
      const body = { ...rest, behaviour, ...(subject !== undefined && { reference: subject }) };
      const answer = await send("PUT", `${path}/${id}`, through(call), body);
      if (answer.status === 409) return "other";
      return storedSchema.parse(bodyOf(answer)).isNew ? "new" : "known";
    },
    async list(call) {
      if (!serves(call.tenantId)) return [];
      const { outcomes } = listSchema.parse(bodyOf(await send("GET", path, through(call))));
      return outcomes.filter(({ of }) => (kinds as readonly (string | undefined)[]).includes(of)) as ForcedOutcome[];
    },
    async clear(id, call) {
      if (!serves(call.tenantId)) return 0;
      const query = new URLSearchParams({ of: kinds.join(","), ...(id !== undefined && { id }) });
      const answer = await send("DELETE", `${path}?${query.toString()}`, through(call));
      return clearedSchema.parse(bodyOf(answer)).ended;
    },
  };
}

/** A partner that has no such thing is none of a sandbox. */
function bodyOf({ status, body }: PartnerAnswer): unknown {
  if (status === 200) return body;
  if (status === 404) throw new Refusal("STATE_CONFLICT", "this sandbox's partner forces no outcomes");
  throw new Error(`the partner answered a forced outcome with status ${status}`);
}
