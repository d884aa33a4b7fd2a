import type { StoredAnswer, Ticket } from "../../shared/idempotency/index.js";
import { keptRefusal, Refusal, type RefusalCode } from "../../shared/refusal.js";
import type { DriveContext, SagaEnding, SagaIdentity, Sagas } from "../../shared/sagas.js";
import { giveBackToDay, takeOfDay } from "../store/day-limit.js";
import type { Movement, MovementEnding, MovementKind } from "../domain/movement.js";
import type { HeldArrivals } from "./held-arrivals.js";
import type { Posting } from "../clients/posting.js";
import type { Session, WalletStore } from "../store/index.js";

export const movementRecovery = "drive-movement";

export type DoneEnding = Extract<MovementEnding, { status: "DONE" }>;

/** What is particular about one kind of movement. */
export interface MovementRules {
  /** Of the idempotency record: the rpc's name. */
  readonly operation: string;
  /** Its one answer when the money moved. */
  answer(movement: Movement, ending: DoneEnding): Uint8Array;
  /**
   * Asked before it is posted, each time it is driven on: its answer must stay what it was once the money may have moved. Throws while
   * it is not known.
   */
  refused?(tenantId: string, movement: Movement, pass: DriveContext): Promise<Refusal | undefined>;
  /** Writes that belong to the first transaction; what they throw refuses the movement. */
  begun?(tenantId: string, movement: Movement, session: Session): Promise<void>;
  /** Writes that belong to the last. */
  ended?(tenantId: string, movement: Movement, ending: MovementEnding, session: Session): Promise<void>;
  /** Work that follows. */
  next?(movement: Movement, ending: MovementEnding): NonNullable<SagaEnding["next"]>;
  /** Codes that the ledger may decide with beside those of every posting. */
  readonly decisions?: ReadonlySet<RefusalCode>;
  /** How the ledger's refusal is told, where its words would be about the wrong thing. */
  told?(refusal: Refusal): Refusal;
}

export interface MovementSagaDeps {
  store: WalletStore;
  sagas: Sagas;
  posting: Posting;
  rules: Readonly<Record<MovementKind, MovementRules>>;
  heldArrivals: Pick<HeldArrivals, "note">;
  crashPoint: (name: string) => void;
}

export type MovementSaga = ReturnType<typeof createMovementSaga>;

/** Money that moves by one linked group: first transaction, post, last transaction. */
export function createMovementSaga({ store, sagas, posting, rules, heldArrivals, crashPoint }: MovementSagaDeps) {
  const answerOf = (movement: Movement): StoredAnswer | undefined => {
    const { ending, kind } = movement;
    if (ending === undefined) return undefined;
    if (ending.status === "FAILED") return { kind: "refusal", ...ending.refusal };
    return { kind: "response", bytes: rules[kind].answer(movement, ending) };
  };

  async function insert(tenantId: string, movement: Movement, session: Session): Promise<void> {
    const wallet = store.forTenant(tenantId);
    for (const part of movement.spends ?? []) await takeOfDay(wallet, part, session);
    await rules[movement.kind].begun?.(tenantId, movement, session);
    await wallet.insertMovement(movement, session);
  }

  /** First transaction. */
  async function begin(tenantId: string, movement: Movement, ticket: Ticket): Promise<void> {
    const { movementId } = movement;
    await sagas.begin(identityOf(tenantId, movement), {
      ticket,
      id: movementId,
      insert: async (session) => {
        await insert(tenantId, movement, session);
        return true;
      },
      readBack: async () => (await store.forTenant(tenantId).findMovement(movementId)) && true,
    });
    crashPoint("wallet.movement.recorded");
  }

  /** First transaction of one that no request asks for, inside the caller's own; the relay drives it. */
  async function beginUnasked(tenantId: string, movement: Movement, session: Session): Promise<void> {
    await insert(tenantId, movement, session);
    await sagas.beginUnasked(identityOf(tenantId, movement), session);
  }

  /** Drives it to its end; idempotent and safe beside itself. Throws while the outcome is unknown. */
  async function drive(tenantId: string, movement: Movement, pass: DriveContext): Promise<StoredAnswer> {
    const answer = answerOf(movement);
    if (answer !== undefined) return answer;
    const { ownAccounts, transfers, kind, createdAt: postedAt } = movement;
    const refusal = await rules[kind].refused?.(tenantId, movement, pass);
    if (refusal !== undefined) {
      return end(tenantId, { ...movement, ending: { status: "FAILED", refusal: keptRefusal(refusal) } }, pass);
    }
    await posting.ensureAccounts(tenantId, movement, ownAccounts, pass);
    const nothing = {
      debitBalanceMinor: 0n,
      creditBalanceMinor: 0n,
      firstDebitBalanceMinor: 0n,
      postedAt,
      transferIds: [],
    };
    const said =
      transfers.length === 0 ? nothing : await posting.post(tenantId, movement, transfers, pass, rules[kind].decisions);
    const posted = said instanceof Refusal ? (rules[kind].told?.(said) ?? said) : said;
    crashPoint("wallet.movement.posted");
    const ending: MovementEnding =
      posted instanceof Refusal ? { status: "FAILED", refusal: keptRefusal(posted) } : { status: "DONE", ...posted };
    return end(tenantId, { ...movement, ending }, pass);
  }

  async function driveById(tenantId: string, movementId: string, pass: DriveContext): Promise<StoredAnswer> {
    const movement = await store.forTenant(tenantId).findMovement(movementId);
    if (movement === undefined) throw new Error(`movement ${movementId} is not there`);
    return drive(tenantId, movement, pass);
  }

  async function end(tenantId: string, movement: Movement, pass: DriveContext): Promise<StoredAnswer> {
    const wallet = store.forTenant(tenantId);
    const { movementId, kind } = movement;
    const ending = movement.ending as MovementEnding;
    const next = rules[kind].next?.(movement, ending);
    const answer = await sagas.end(
      identityOf(tenantId, movement),
      {
        answer: answerOf(movement) as StoredAnswer,
        apply: async (session) => {
          if (!(await wallet.endMovement(movementId, ending, session))) return false;
          const backs = ending.status === "FAILED" ? (movement.spends ?? []) : [];
          for (const part of backs) await giveBackToDay(wallet, part, session);
          if (ending.status === "DONE" && movement.held !== undefined) {
            const { interactionId, createdBy: actor } = movement;
            await heldArrivals.note({ tenantId, interactionId, actor }, movement.held, session);
          }
          await rules[kind].ended?.(tenantId, movement, ending, session);
          return true;
        },
        readBack: async () => {
          const found = await wallet.findMovement(movementId);
          return found && answerOf(found);
        },
        ...(next === undefined ? {} : { next }),
      },
      pass,
    );
    crashPoint("wallet.movement.ended");
    return answer;
  }

  function identityOf(tenantId: string, movement: Movement): SagaIdentity {
    const { movementId, kind, caller, idempotencyKey, interactionId, createdBy } = movement;
    return {
      tenantId,
      operation: rules[kind].operation,
      aggregate: `movement:${movementId}`,
      recovery: movementRecovery,
      payload: { movementId },
      caller,
      idempotencyKey,
      interactionId,
      createdBy,
    };
  }

  return { begin, beginUnasked, drive, driveById };
}
