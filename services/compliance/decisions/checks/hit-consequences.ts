import { discardedEffects, type EffectLog } from "../../../platform/approvals/approval-effects.js";
import type { BusinessClock } from "../../../platform/preferences/business-clock.js";
import type { Outbox } from "../../../kernel/outbox/index.js";
import type { Customers } from "../checks/customers.js";
import type { BlockForesight } from "../../screening/clients/block-foresight.js";
import type { CaseJoin } from "../../common/domain/case-join.js";
import { isHeldByBlock, withBlock, withoutBlock } from "../domain/customer-blocks.js";
import { anewEffects, hitEffects, statusEffects } from "../domain/customer-effects.js";
import { newCustomer, type CustomerRecord, type Person } from "../domain/customer.js";
import type { Origin } from "../../common/domain/origin.js";
import { hitsOf } from "../../screening/domain/hit-decision.js";
import { holdStatusOf } from "../../screening/domain/judging.js";
import { blockIdOf, isOpen, type Hit, type Screening } from "../../screening/domain/screening.js";
import { heldBy, recipientKeyOf, withHold, type SubjectHold } from "../../screening/domain/subject-hold.js";
import { blockRow, freezeRow, reconsiderRow, releaseRow, unfreezeRow } from "../store/block-rows.js";
import type { ComplianceStore, Session, TenantStore } from "../store/index.js";
import { sealedJoinRow } from "../../common/store/join-rows.js";
import type { PolicyVersions } from "../store/policy-versions.js";
import type { TextCipher } from "../../screening/store/screening-cipher.js";
import type { ScreeningPolicyStore } from "../../screening/store/screening-policies.js";
import type { ScreeningStore } from "../../screening/store/screenings.js";

export interface ConsequenceDeps {
  store: ComplianceStore;
  screenings: ScreeningStore;
  screeningCipher: TextCipher;
  screeningPolicies: ScreeningPolicyStore;
  policies: PolicyVersions;
  customers: Customers;
  times: BusinessClock;
  outbox: Outbox;
  neighbours: BlockForesight;
}

/** What a customer's requirements and score are worked out from. */
export type KnownPerson = Pick<Person, "country" | "registeredAt">;

/** What was said of a hit. ASKED and REFUSED (an approval) change nothing for the customer. */
export type HitStep = "FALSE_POSITIVE" | "CONFIRMED" | "RELEASED" | "ASKED" | "REFUSED";

/** Hits of one screening of which something was said, with the screening as it is after that. */
export interface DecidedHits {
  screening: Screening;
  hitIds: readonly string[];
  step: HitStep;
  /** For the officers, in the case's timeline. */
  text: string;
  /** Of the customer behind it; absent of staff, searches, and whoever is known here. */
  person?: KnownPerson | undefined;
  /** Of what two persons decide: what it does is noted there. */
  effects?: EffectLog;
}

/** More transactions than that are found by remittance itself, by their customer. */
const maxNamed = 1_000;

export type HitConsequences = ReturnType<typeof createHitConsequences>;

/** Writes what people decided on hits, with all that follows from it in this service. */
export function createHitConsequences(deps: ConsequenceDeps) {
  const { store, screenings, screeningCipher, screeningPolicies, policies, customers, times, outbox } = deps;
  const { neighbours } = deps;

  /** The customer with what the subject's hits come to now, and the blocks of these hits. */
  async function changed(
    before: CustomerRecord,
    { screening, step }: DecidedHits,
    hits: readonly Hit[],
    tenantId: string,
    session: Session,
  ): Promise<CustomerRecord> {
    const of = recipientKeyOf(screening.subject);
    const holds = withHold(before.holds ?? [], of, await holdStatusNow(screening, tenantId, session));
    const withHolds: CustomerRecord = { ...before, holds };
    const blockIds = hits.map((hit) => blockIdOf(screening, hit));
    if (step === "RELEASED") return blockIds.reduce(withoutBlock, withHolds);
    if (step !== "CONFIRMED") return withHolds;
    const blocksSender = of === "" || (await screeningPolicies.forTenant(tenantId).current(session)).blocksSender;
    return blocksSender ? blockIds.reduce(withBlock, withHolds) : withHolds;
  }

  async function holdStatusNow(screening: Screening, tenantId: string, session: Session) {
    const open = await screenings.forTenant(tenantId).findOpenOf(screening.subject, session);
    const others = open.filter(({ screeningId }) => screeningId !== screening.screeningId);
    return holdStatusOf([screening, ...others].flatMap(({ hits }) => hits));
  }

  /** Rows that stop or free money elsewhere. */
  async function tellNeighbours(
    origin: Origin,
    decided: DecidedHits,
    hit: Hit,
    { before, after, reconsiders }: { before: CustomerRecord; after: CustomerRecord; reconsiders: boolean },
    session: Session,
  ): Promise<void> {
    const { screening, step } = decided;
    if (step !== "CONFIRMED" && step !== "RELEASED") return;
    const { screeningId, subject, transactionIds } = screening;
    const { customerId } = subject;
    const blockId = blockIdOf(screening, hit);
    const { approvalId } = hit;
    if (approvalId === undefined) throw new Error("a hit is confirmed and released by an approval alone");
    const of = { blockId, screeningId, approvalId, customerId };
    const isBlocked = (one: CustomerRecord) => one.blocks?.some((block) => block.blockId === blockId) === true;
    const effects = decided.effects ?? discardedEffects;
    const { tenantId, interactionId } = origin;
    const asking = { tenantId, interactionId };
    if (step === "CONFIRMED") {
      const [code = ""] = recipientKeyOf(subject).split("/");
      const named = transactionIds.slice(-maxNamed);
      const recipientCode = isBlocked(after) ? "" : code;
      const what = { recipientCode, transactionIds: named, stopped: [], tooLate: [] };
      await outbox.add(blockRow(origin, { ...of, hitId: hit.hitId, ...what }), session);
      effects.foresee(() => neighbours.block({ blockId, customerId, recipientCode, transactionIds: named }, asking));
      if (isBlocked(after)) {
        await outbox.add(freezeRow(origin, of), session);
        effects.foresee(() => neighbours.freeze({ blockId, customerId, frozen: true }, asking));
      }
    } else {
      const outcome = hit.release?.way ?? "CONTINUE";
      const row = releaseRow(origin, { ...of, outcome, reconsiders });
      // It stands behind the next round of the block, which has nothing to do any more.
      await outbox.hasten(tenantId, row.aggregate, session);
      await outbox.add(row, session);
      effects.foresee(() => neighbours.release({ blockId, outcome }, asking));
      if (isBlocked(before)) {
        await outbox.add(unfreezeRow(origin, of), session);
        effects.foresee(() => neighbours.freeze({ blockId, customerId, frozen: false }, asking));
      }
    }
  }

  /** What it does to the customer behind the subject, whom it locks. */
  async function onCustomer(origin: Origin, decided: DecidedHits, session: Session): Promise<void> {
    const { tenantId } = origin;
    const { screening, hitIds, person } = decided;
    const { customerId } = screening.subject;
    const tenant = store.forTenant(tenantId);
    const hits = hitsOf(screening, hitIds);
    const before = (await tenant.lockCustomer(customerId, session)) ?? newCustomer(customerId);
    const worked = await changed(before, decided, hits, tenantId, session);
    const after = await keep(origin, { before, worked, person: before.person ?? person, screening }, tenant, session);
    await tenant.noteBlocked(customerId, heldBy(after.holds ?? [], isHeldByBlock(after)), session);
    decided.effects?.add(...statusEffects(before, after));
    // Under a block the rules refuse what waits: it is looked at once the last block ends.
    const isUnblocked = isHeldByBlock(before) && !isHeldByBlock(after);
    const reconsiders = !isHeldByBlock(after) && (isUnblocked || isFreed(before.holds ?? [], after.holds ?? []));
    const blocks = new Map(hits.map((hit) => [blockIdOf(screening, hit), hit] as const).toReversed());
    for (const hit of blocks.values())
      await tellNeighbours(origin, decided, hit, { before, after, reconsiders }, session);
    // What a release gives back is not to be approved before: the row that has it
    // given back has the rest decided.
    if (reconsiders && decided.step !== "RELEASED") {
      await outbox.add(reconsiderRow(origin, screening, customerId), session);
    }
    if (!reconsiders || decided.effects === undefined) return;
    const own = await tenant.listOpen({ customerId, limit: maxNamed }, session);
    const into = await tenant.listOpenInto(customerId, maxNamed, session);
    const isNewStatus = after.sequence !== before.sequence;
    decided.effects.add(...anewEffects([...own, ...into], "SCREENING"));
    if (isNewStatus) decided.effects.add(...anewEffects(own, "DOCUMENTS"));
  }

  async function keep(
    origin: Origin,
    change: { before: CustomerRecord; worked: CustomerRecord; person: KnownPerson | undefined; screening: Screening },
    tenant: TenantStore,
    session: Session,
  ): Promise<CustomerRecord> {
    const { before, worked, person, screening } = change;
    if (person === undefined) throw new Error("nothing is known of the customer behind a hit");
    const { tenantId } = origin;
    const time = await times.forTenant(tenantId, origin.interactionId);
    const working = { now: time.now(), policy: await policies.current(tenantId, tenant, session), session, tenant };
    return customers.keep(origin, before, worked, person, `screening ${screening.screeningId}`, working);
  }

  return {
    /**
     * Inside the transaction that decides. Refuses STATE_CONFLICT where the
     * screening has changed meanwhile.
     */
    async write(origin: Origin, decided: DecidedHits, session: Session): Promise<void> {
      const { screening, step, text } = decided;
      await screenings.forTenant(origin.tenantId).update(screening, session);
      const isDecided = step !== "ASKED" && step !== "REFUSED";
      if (isDecided) decided.effects?.add(...hitEffects(screening, decided.hitIds, step));
      if (isDecided && screening.subject.customerId !== "") await onCustomer(origin, decided, session);
      const join = joinOf(screening, { text, actor: origin.actor, at: await businessNow(origin) });
      if (join === undefined) return;
      const source = `screening:${screening.screeningId}`;
      await outbox.add(await sealedJoinRow(screeningCipher, origin, [source, screening.version], join), session);
    },
  };

  async function businessNow({ tenantId, interactionId }: Origin): Promise<Date> {
    return (await times.forTenant(tenantId, interactionId)).now();
  }
}

/** Whether a stop is gone that was there. */
function isFreed(before: readonly SubjectHold[], after: readonly SubjectHold[]): boolean {
  return before.some(({ recipientKey: of }) => !after.some((one) => one.recipientKey === of));
}

/** What the subject's case hears; undefined of a search, which has none. */
export function joinOf(
  { subject, screeningId, hits }: Screening,
  {
    event = "HIT_DECIDED",
    ...said
  }: Pick<CaseJoin, "text" | "actor" | "at" | "transactionIds"> & {
    event?: "HIT_DECIDED" | "BLOCK";
  },
): CaseJoin | undefined {
  const { kind, id: subjectId, customerId } = subject;
  if (kind === "SEARCH") return undefined;
  const waits = hits.some(isOpen);
  return { subjectKind: kind, subjectId, customerId, kind: "SCREENING", event, screeningId, waits, ...said };
}
