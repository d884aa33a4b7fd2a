import { CloseTillResponse, OpenTillResponse } from "../../../../proto/gen/wallet/v1/tills.js";
import { passing } from "../../../kernel/refusal.js";
import type { WalletStore } from "../../store/index.js";
import { tillToWire } from "../../wire/cash.js";
import { assertPresent, isDone, type MovementRules, type RulesOf } from "./rules.js";

/** A till that is opened with its float, and one that is counted and closed. */
export function tillRules(store: WalletStore): RulesOf<"TILL_OPENING" | "TILL_CLOSING"> {
  return { TILL_OPENING: openingRules(store), TILL_CLOSING: closingRules(store) };
}

function openingRules(store: WalletStore): MovementRules {
  return {
    operation: "wallet.v1.OpenTill",
    answer: ({ till }) =>
      OpenTillResponse.encode({ till: tillToWire({ ...assertPresent(till), status: "OPEN" }) }).finish(),
    onBegin: (tenantId, { till }, session) => store.forTenant(tenantId).insertTill(assertPresent(till), session),
    async onEnd(tenantId, { subjectId = "" }, ending, session) {
      const wallet = store.forTenant(tenantId);
      const opening = { status: "OPENING" as const };
      if (isDone(ending)) await wallet.moveTill(subjectId, opening, { status: "OPEN" }, session);
      else await wallet.moveTill(subjectId, opening, { status: "CLOSED" }, session, true);
    },
  };
}

function closingRules(store: WalletStore): MovementRules {
  return {
    operation: "wallet.v1.CloseTill",
    answer: ({ till }) => CloseTillResponse.encode({ till: tillToWire(assertPresent(till)) }).finish(),
    async onBegin(tenantId, { subjectId = "", till }, session) {
      const wallet = store.forTenant(tenantId);
      const { expectedMinor } = assertPresent(till);
      const asPlanned = { status: "OPEN" as const, moving: 0, expectedMinor };
      if (await wallet.moveTill(subjectId, asPlanned, { status: "CLOSING" }, session)) return;
      throw passing("STATE_CONFLICT", "cash is moving through the till; count it anew");
    },
    async onEnd(tenantId, { subjectId = "", till }, ending, session) {
      const wallet = store.forTenant(tenantId);
      const closing = { status: "CLOSING" as const };
      if (!isDone(ending)) return void (await wallet.moveTill(subjectId, closing, { status: "OPEN" }, session));
      const { countedMinor = 0n, differenceMinor = 0n, closedAt } = assertPresent(till);
      const closed = { status: "CLOSED" as const, countedMinor, differenceMinor, ...(closedAt && { closedAt }) };
      await wallet.moveTill(subjectId, closing, closed, session, true);
    },
  };
}
