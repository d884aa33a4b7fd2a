import { isDeepStrictEqual } from "node:util";
import { crashPoint } from "../../../kernel/process/crash-point.js";
import type { OutgoingContext } from "../../../kernel/grpc/client.js";
import type { Outbox } from "../../../kernel/outbox/index.js";
import { isAwayOrLate } from "../../../kernel/refusal.js";
import { isHeldByBlock } from "../domain/customer-blocks.js";
import { decide as decideByRules, type Outcome } from "../domain/decision.js";
import { heldDay, type DecisionBasis } from "../domain/decision-inputs.js";
import { isOutdated } from "../domain/outdated-facts.js";
import type { RecordedDecision } from "../domain/recorded-decision.js";
import type { Origin } from "../../common/domain/origin.js";
import { verdictOf } from "../../screening/domain/summary.js";
import { isWaitingFor, type WaitsFor } from "../domain/waits-for.js";
import type { ScreeningRuns } from "../../screening/engine/runs.js";
import type { TenantStore } from "../store/index.js";
import type { Attempt, Decide } from "./decide.js";
import type { NoteOnCustomer } from "./note-on-customer.js";
import { recordedBy, writeRevised } from "./revise.js";
import { createTellAnew, type TellAnewDeps } from "./tell-anew.js";
import type { TermsOfTenants } from "./terms.js";
import type { WhenCurrent } from "./when-current.js";

const pageSize = 200;
const maxIntoWallet = 1_000;
// Of one sender in one transaction, and senders at the same time.
const mostTogether = 32;
const mostSenders = 8;

export interface ReconsiderDeps extends TellAnewDeps {
  decide: Decide;
  noteOnCustomer: NoteOnCustomer;
  outbox: Outbox;
  times: TermsOfTenants;
  whenCurrent: WhenCurrent;
  screening: ScreeningRuns;
}

/**
 * The rules decide once more on what waited for documents of a customer, or for their confirmation,
 * or for what is said of a hit: of them, of whom they send to, or of whose wallet it pays.
 */
export function createReconsider(deps: ReconsiderDeps) {
  const { store, decide, outbox, times, whenCurrent, noteOnCustomer, screening } = deps;
  const tellAnew = createTellAnew(deps);

  /** Some of one sender, in one transaction. */
  async function reconsiderTogether(
    origin: Origin,
    some: readonly RecordedDecision[],
    call: OutgoingContext,
    waitsFor: WaitsFor,
  ): Promise<void> {
    const { tenantId } = origin;
    const tenant = store.forTenant(tenantId);
    const time = await times.forTenant(tenantId, origin.interactionId);
    const runs = await Promise.all(some.map((open) => screening.runAgain(origin, open, time.now())));
    const runOf = new Map(some.map(({ transactionId }, index) => [transactionId, runs[index]!]));
    const ids = some.map(({ transactionId }) => transactionId);
    await whenCurrent(origin, call, some[0]!.inputs.facts.customerId, () =>
      store.transaction(
        async (session) => {
          const found = await tenant.findDecisions(ids, session);
          const waits = found.filter((before) => isWaitingFor(waitsFor, before)).toSorted(byTransaction);
          const asked = waits.map(({ transactionId, inputs: { facts } }) => ({
            facts,
            screening: runOf.get(transactionId)!,
          }));
          if (asked.length === 0) return true;
          const bases = await decide.lockAndRead(tenantId, asked, time, session);
          const revised: { recorded: RecordedDecision; basis: DecisionBasis }[] = [];
          for (const [index, before] of waits.entries()) {
            const basis = resultOrThrow(bases.of(index));
            // Refused it would be, and for good: the end of the last block asks again.
            if (isHeldByBlock(basis.customer)) break;
            // A policy was published since it was told of: that one's row has it told anew.
            if (isOutdated(before.inputs.facts, basis.policy)) continue;
            const outcome = decideByRules(basis.policy, basis.inputs);
            if (isSame(before, outcome, basis)) continue;
            const recorded = recordedBy({ before, outcome, basis }, "rules");
            if (recorded.reservation === "HELD") bases.hold(heldDay(basis), before.inputs.facts);
            const noted = await noteOnCustomer(origin, basis, outcome, session);
            if (noted !== undefined) bases.change(noted);
            revised.push({ recorded, basis });
          }
          if (revised.length > 0) await writeRevised({ store, outbox }, origin, revised, session);
          return true;
        },
        async () => undefined,
      ),
    );
    crashPoint("compliance.transaction.reconsidered");
  }

  /** The same; where it fails, one by one: one that cannot be decided holds up no other. */
  async function reconsiderSome(
    origin: Origin,
    some: readonly RecordedDecision[],
    call: OutgoingContext,
    waitsFor: WaitsFor,
  ): Promise<void> {
    call.signal?.throwIfAborted();
    await tellAnew(some, call);
    try {
      await reconsiderTogether(origin, some, call, waitsFor);
    } catch (error) {
      if (some.length === 1 || isAwayOrLate(error)) throw error;
      let fault: { error: unknown } | undefined;
      for (const one of some) {
        await reconsiderTogether(origin, [one], call, waitsFor).catch((own: unknown) => (fault ??= { error: own }));
      }
      if (fault !== undefined) throw fault.error;
    }
  }

  async function reconsiderEach(
    origin: Origin,
    some: Iterable<RecordedDecision> | AsyncIterable<RecordedDecision>,
    call: OutgoingContext,
    waitsFor: WaitsFor,
  ): Promise<void> {
    let together: RecordedDecision[] = [];
    for await (const open of some) {
      if (!isWaitingFor(waitsFor, open)) continue;
      if (together.length === mostTogether || (together.length > 0 && !isOfSender(open, together[0]!))) {
        await reconsiderSome(origin, together, call, waitsFor);
        // What is decided is told while the next are decided on.
        outbox.wake();
        together = [];
      }
      together.push(open);
    }
    if (together.length > 0) await reconsiderSome(origin, together, call, waitsFor);
    outbox.wake();
  }

  return {
    /** Safe to repeat. */
    reconsider: (origin: Origin, customerId: string, call: OutgoingContext, waitsFor: WaitsFor = "DOCUMENTS") =>
      reconsiderEach(origin, waiting(store.forTenant(origin.tenantId), customerId, waitsFor), call, waitsFor),

    /**
     * Of these, what waits for what somebody has to give; of others nothing changes. Safe to
     * repeat.
     */
    async reconsiderThese(origin: Origin, open: readonly RecordedDecision[], call: OutgoingContext): Promise<void> {
      const bySender = [...Map.groupBy(open, senderOf).values()];
      for (let at = 0; at < bySender.length; at += mostSenders) {
        const some = bySender.slice(at, at + mostSenders);
        await Promise.all(some.map((own) => reconsiderEach(origin, own, call, "DOCUMENTS")));
      }
    },
  };
}

const senderOf = ({ inputs }: RecordedDecision): string => inputs.facts.customerId;
const isOfSender = (one: RecordedDecision, other: RecordedDecision): boolean => senderOf(one) === senderOf(other);
const byTransaction = (a: RecordedDecision, b: RecordedDecision): number =>
  a.transactionId < b.transactionId ? -1 : 1;

function isSame(before: RecordedDecision, outcome: Outcome, { inputs }: DecisionBasis): boolean {
  const isSameAnswer = isDeepStrictEqual(answerOf(before), answerOf(outcome));
  return isSameAnswer && verdictOf(before.inputs.screening) === verdictOf(inputs.screening);
}

function resultOrThrow<T>(one: Attempt<T>): T {
  if ("fault" in one) throw one.fault;
  return one.result;
}

/** All that waits of a customer, by transaction. */
async function* waiting(tenant: TenantStore, customerId: string, waitsFor: WaitsFor): AsyncGenerator<RecordedDecision> {
  for (let after: string | undefined; ;) {
    const page = await tenant.listOpen({ customerId, limit: pageSize, ...(after !== undefined && { after }) });
    yield* page;
    if (page.length < pageSize) break;
    after = page.at(-1)!.transactionId;
  }
  // What others send into their wallet waits for a word on them, and for nothing else of theirs.
  if (waitsFor === "SCREENING") yield* await tenant.listOpenInto(customerId, maxIntoWallet);
}

function answerOf({ decision, reasonCode, outstandingRequirements }: Outcome) {
  return [decision, reasonCode, outstandingRequirements];
}
