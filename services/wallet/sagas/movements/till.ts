import { CloseTillResponse, OpenTillResponse } from "../../../../proto/gen/wallet/v1/tills.js";
import { passing } from "../../../kernel/refusal.js";
import { assertActive, refusedByMode } from "../../domain/agent-sale.js";
import type { Till } from "../../domain/till.js";
import type { NewVaultLine, VaultLineKind } from "../../domain/vault.js";
import type { Movement } from "../../domain/movement.js";
import type { NewTillLine, TillLineKind } from "../../domain/till-line.js";
import type { WalletStore } from "../../store/index.js";
import { tillToWire } from "../../wire/tills.js";
import { notAsCounted } from "../till-cash.js";
import { assertPresent, bookedOf, isDone, type DoneEnding, type MovementRules, type RulesOf } from "./rules.js";

/** A till that is opened with its float, and one that is counted and closed. */
export function tillRules(store: WalletStore): RulesOf<"TILL_OPENING" | "TILL_CLOSING"> {
  return { TILL_OPENING: openingRules(store), TILL_CLOSING: closingRules(store) };
}

function openingRules(store: WalletStore): MovementRules {
  return {
    operation: "wallet.v1.OpenTill",
    answer: ({ till }) =>
      OpenTillResponse.encode({ till: tillToWire({ ...assertPresent(till), status: "OPEN" }) }).finish(),
    async onBegin(tenantId, movement, session) {
      const wallet = store.forTenant(tenantId);
      const till = assertPresent(movement.till);
      if (till.role === "AGENT") {
        // As of a sale: a suspension that is committed counts on every replica.
        const agent = await wallet.agentAtSale(till.cashierId, session);
        assertActive(agent);
        const refusal = refusedByMode(agent, true);
        if (refusal !== undefined) throw refusal;
      }
      if (!(await wallet.noteOpening(till.cashierId, till.branch, session))) {
        throw passing("STATE_CONFLICT", "whoever opens it is assigned to another branch at this moment");
      }
      await wallet.insertTill(till, session);
    },
    async onEnd(tenantId, movement, ending, session) {
      const { subjectId = "", till } = movement;
      const wallet = store.forTenant(tenantId);
      const opening = { status: "OPENING" as const };
      if (!isDone(ending)) return void (await wallet.moveTill(subjectId, opening, { status: "CLOSED" }, session, true));
      await wallet.moveTill(subjectId, opening, { status: "OPEN" }, session);
      const { floatMinor } = assertPresent(till);
      await wallet.noteLine(subjectId, lineOf("FLOAT", floatMinor, movement, ending), session);
      if (floatMinor === 0n) return;
      await wallet.noteVaultLine(vaultLineOf("FLOAT", assertPresent(till), -floatMinor, movement, ending), session);
    },
  };
}

function closingRules(store: WalletStore): MovementRules {
  return {
    operation: "wallet.v1.CloseTill",
    answer: ({ till }) => CloseTillResponse.encode({ till: tillToWire(assertPresent(till)) }).finish(),
    async onBegin(tenantId, { subjectId = "", till, count }, session) {
      const wallet = store.forTenant(tenantId);
      const { expectedMinor, closing } = assertPresent(till);
      const status = closing?.status === "APPROVED" ? ("WAITING" as const) : ("OPEN" as const);
      const asPlanned = { status, moving: 0, expectedMinor };
      if (!(await wallet.moveTill(subjectId, asPlanned, { status: "CLOSING" }, session))) {
        throw await notAsCounted(wallet, assertPresent(till), session);
      }
      if (count !== undefined) await wallet.insertTillCount(count, session);
    },
    async onEnd(tenantId, movement, ending, session) {
      const { subjectId = "", till } = movement;
      const wallet = store.forTenant(tenantId);
      const closing = { status: "CLOSING" as const };
      if (!isDone(ending)) {
        const { closing: asked } = assertPresent(till);
        // What was approved is over with it: the till is closed by a new count.
        const change = {
          status: "OPEN" as const,
          ...(asked?.status === "APPROVED" && {
            closing: { ...asked, status: "FAILED" as const, failure: ending.refusal.code },
          }),
        };
        return void (await wallet.moveTill(subjectId, closing, change, session));
      }
      const { countedMinor = 0n, differenceMinor = 0n, closedAt, reason } = assertPresent(till);
      const closed = {
        status: "CLOSED" as const,
        isCounted: true as const,
        countedMinor,
        differenceMinor,
        ...(closedAt && { closedAt }),
        ...(reason !== undefined && { reason }),
      };
      await wallet.moveTill(subjectId, closing, closed, session, true);
      const lines = [
        lineOf("DIFFERENCE", differenceMinor, movement, ending),
        lineOf("CLOSING", -countedMinor, movement, ending),
      ];
      for (const line of lines) if (line.amountMinor !== 0n) await wallet.noteLine(subjectId, line, session);
      if (countedMinor === 0n) return;
      await wallet.noteVaultLine(vaultLineOf("CLOSING", assertPresent(till), countedMinor, movement, ending), session);
    },
  };
}

function lineOf(kind: TillLineKind, amountMinor: bigint, movement: Movement, ending: DoneEnding): NewTillLine {
  const { movementId, createdBy: movedBy } = movement;
  return { kind, amountMinor, ...bookedOf(ending), movedBy, movementId };
}

function vaultLineOf(
  kind: VaultLineKind,
  { tillId, branch, currency }: Till,
  amountMinor: bigint,
  { movementId, createdBy: movedBy }: Movement,
  ending: DoneEnding,
): NewVaultLine {
  return { branch, currency, kind, amountMinor, ...bookedOf(ending), movedBy, movementId, subjectId: tillId };
}
