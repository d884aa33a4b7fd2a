import { AcceptHandOverResponse } from "../../../../proto/gen/wallet/v1/tills.js";
import { passing } from "../../../kernel/refusal.js";
import { assertActive } from "../../domain/agent-sale.js";
import type { Movement } from "../../domain/movement.js";
import type { NewTillLine } from "../../domain/till-line.js";
import type { WalletStore } from "../../store/index.js";
import { handOverToWire } from "../../wire/hand-overs.js";
import { reserveTillCash } from "../till-cash.js";
import { assertPresent, bookedOf, isDone, type DoneEnding, type RulesOf } from "./rules.js";

/** Cash of one till that its receiver accepts: both tills change by one commit of the ledger. */
export function handOverRules(store: WalletStore): RulesOf<"HAND_OVER"> {
  return {
    HAND_OVER: {
      operation: "wallet.v1.AcceptHandOver",
      answer: ({ handOver }, { postedAt: endedAt }) =>
        AcceptHandOverResponse.encode({
          handOver: handOverToWire({ ...assertPresent(handOver), status: "ACCEPTED", endedAt }),
        }).finish(),
      async onBegin(tenantId, movement, session) {
        const { subjectId = "", subjectMinor = 0n, createdBy, createdByRole, tillMaxMinor } = movement;
        const wallet = store.forTenant(tenantId);
        if (createdByRole === "AGENT") assertActive(await wallet.agentAtSale(createdBy, session));
        const { handOverId } = assertPresent(movement.handOver);
        const accepting = { status: "ACCEPTING" as const, toTillId: subjectId };
        if (!(await wallet.moveHandOver(handOverId, "OFFERED", accepting, session))) {
          throw passing("STATE_CONFLICT", "the cash is not offered any more");
        }
        const cash = { tillId: subjectId, cashierId: createdBy, minor: subjectMinor };
        await reserveTillCash(
          wallet,
          { ...cash, ...(tillMaxMinor !== undefined && { maxMinor: tillMaxMinor }) },
          session,
        );
      },
      async onEnd(tenantId, movement, ending, session) {
        const { subjectId = "", subjectMinor = 0n } = movement;
        const wallet = store.forTenant(tenantId);
        const { handOverId, fromTillId } = assertPresent(movement.handOver);
        if (!isDone(ending)) {
          await wallet.takeBackCash(subjectId, -subjectMinor, session);
          await wallet.moveHandOver(handOverId, "ACCEPTING", { status: "OFFERED" }, session);
          return;
        }
        const { postedAt } = ending;
        await wallet.endCash(fromTillId, lineOf(movement, -subjectMinor, ending), session);
        await wallet.endCash(subjectId, lineOf(movement, subjectMinor, ending), session);
        await wallet.moveHandOver(handOverId, "ACCEPTING", { status: "ACCEPTED", endedAt: postedAt }, session);
      },
    },
  };
}

function lineOf({ movementId, createdBy: movedBy }: Movement, amountMinor: bigint, ending: DoneEnding): NewTillLine {
  return { kind: "HAND_OVER", amountMinor, ...bookedOf(ending), movedBy, movementId };
}
