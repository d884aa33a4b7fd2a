import { ConfirmHoldResponse, CreateHoldResponse, ReleaseHoldResponse } from "../../../../proto/gen/wallet/v1/holds.js";
import type { Clock } from "../../../kernel/time/clock.js";
import { Refusal, type RefusalCode } from "../../../kernel/refusal.js";
import type { Compliance } from "../../clients/neighbours.js";
import { dayPartToRelease } from "../../domain/hold.js";
import type { WalletStore } from "../../store/index.js";
import { holdToWire } from "../../wire/holds.js";
import { checkWithCompliance } from "../compliance-check.js";
import { releaseDayLimit } from "../wallet-daily-limit.js";
import { rowKinds } from "../../row-kinds.js";
import { assertPresent, isDone, type MovementRules, type RulesOf } from "./rules.js";

// How the ledger says that a hold is over already.
const pendingDecisions: ReadonlySet<RefusalCode> = new Set([
  "PENDING_EXPIRED",
  "PENDING_ALREADY_RESOLVED",
  "PENDING_NOT_FOUND",
] as const);

export interface HoldRulesDeps {
  store: WalletStore;
  compliance: Pick<Compliance, "checkWalletPayment">;
  clock: Clock;
}

/** Money of a wallet that is reserved for another one, then taken or let go. */
export function holdRules(deps: HoldRulesDeps): RulesOf<"HOLD" | "HOLD_CONFIRMATION" | "HOLD_RELEASE"> {
  return {
    HOLD: creationRules(deps),
    HOLD_CONFIRMATION: {
      ...endWrites(deps, "CONFIRMING", "CONFIRMED"),
      operation: "wallet.v1.ConfirmHold",
      answer: ({ hold, createdAt }) =>
        ConfirmHoldResponse.encode({ hold: holdToWire(assertPresent(hold), createdAt) }).finish(),
      followUps: ({ subjectId: paymentId = "" }, ending) => [
        { kind: isDone(ending) ? rowKinds.confirmLimit : rowKinds.freeLimit, payload: { paymentId } },
      ],
    },
    HOLD_RELEASE: {
      ...endWrites(deps, "RELEASING", "RELEASED"),
      operation: "wallet.v1.ReleaseHold",
      answer: ({ hold, createdAt }) =>
        ReleaseHoldResponse.encode({ hold: holdToWire(assertPresent(hold), createdAt) }).finish(),
      followUps: ({ subjectId: paymentId = "" }) => [{ kind: rowKinds.freeLimit, payload: { paymentId } }],
    },
  };
}

function creationRules({ store, compliance }: HoldRulesDeps): MovementRules {
  return {
    operation: "wallet.v1.CreateHold",
    answer: ({ hold }) => {
      const held = { ...assertPresent(hold), status: "HELD" as const };
      return CreateHoldResponse.encode({ hold: holdToWire(held, held.createdAt) }).finish();
    },
    onBegin: (tenantId, { hold }, session) => store.forTenant(tenantId).insertHold(assertPresent(hold), session),
    // Decided once, and now, for when it is confirmed: then only the two customers' statuses count.
    async checkBeforePosting(tenantId, { hold, interactionId }, context) {
      const { holdId: paymentId, customerId, payeeCustomerId, amount } = assertPresent(hold);
      const check = { paymentId, customerId, payeeCustomerId, amount, kind: "MOVE_KIND_HOLD" as const };
      const checked = await checkWithCompliance(compliance, { tenantId, interactionId }, check, context);
      return checked instanceof Refusal ? checked : undefined;
    },
    async onEnd(tenantId, { subjectId = "" }, ending, session) {
      const to = isDone(ending) ? "HELD" : "FAILED";
      await store.forTenant(tenantId).moveHold(subjectId, "HOLDING", to, session);
    },
    followUps: ({ subjectId: holdId = "", hold }, ending) =>
      isDone(ending)
        ? [{ kind: rowKinds.expireHold, payload: { holdId }, dueAt: assertPresent(hold).expiresAt }]
        : [{ kind: rowKinds.freeLimit, payload: { paymentId: holdId } }],
  };
}

/** One decision about a hold: the first one that finds it HELD stands. */
function endWrites(
  { store, clock }: HoldRulesDeps,
  during: "CONFIRMING" | "RELEASING",
  done: "CONFIRMED" | "RELEASED",
): Pick<MovementRules, "ledgerDecisions" | "translateRefusal" | "onBegin" | "onEnd"> {
  return {
    ledgerDecisions: pendingDecisions,
    translateRefusal: (refusal) =>
      pendingDecisions.has(refusal.code) ? new Refusal("HOLD_NOT_OPEN", "the hold is over") : refusal,
    async onBegin(tenantId, { subjectId = "" }, session) {
      const wallet = store.forTenant(tenantId);
      if (await wallet.moveHold(subjectId, "HELD", during, session, { openAt: clock.now() })) return;
      throw new Refusal("HOLD_NOT_OPEN", "the hold is over, or somebody has just decided about it");
    },
    async onEnd(tenantId, { subjectId = "", hold }, ending, session) {
      const wallet = store.forTenant(tenantId);
      const { confirmedMinor } = assertPresent(hold);
      const more = isDone(ending) && confirmedMinor !== undefined ? { confirmedMinor } : {};
      if (!(await wallet.moveHold(subjectId, during, isDone(ending) ? done : "EXPIRED", session, more))) return;
      await releaseDayLimit(wallet, dayPartToRelease(assertPresent(hold), more.confirmedMinor), session);
    },
  };
}
