import { refusedNeutrally } from "../../platform/neighbours/customer-moves.js";
import { outgoing } from "../../kernel/grpc/client.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import { passing, Refusal } from "../../kernel/refusal.js";
import { isSpokenCode } from "../../kernel/text/spoken-code.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import {
  assertMayTry,
  codeLocked,
  maxTries,
  seenDocument,
  type CounterPayable,
  type DocumentType,
  type PayableCode,
  type SeenDocument,
} from "../domain/counter-payable.js";
import type { WalletDeps } from "./deps.js";
import { assertManagedByAgent } from "./managed-customers.js";

/** What came back of a counter sale, by whoever may give it out, and tries of its code. */
export function counterPayableTries(deps: WalletDeps) {
  const { store, identity } = deps;

  /** Refuses NOT_FOUND; FORBIDDEN for another customer's, or another agent's. */
  async function found(payableId: string, call: Call): Promise<CounterPayable> {
    const wanted = textFromWire(payableId, "payableId");
    const payable = await store.forTenant(call.tenantId).findCounterPayable(wanted);
    if (payable === undefined) throw new Refusal("NOT_FOUND", "no such counter payable");
    const { role, customerId } = requireUser(call);
    if (role === "CUSTOMER" && payable.customerId !== customerId) {
      throw new Refusal("FORBIDDEN", "this is another customer's");
    }
    await assertManagedByAgent(deps, payable.customerId, call);
    return payable;
  }

  /** Counts the try before it says why it was wrong. */
  async function refuseTry(
    { payableId }: CounterPayable,
    { codeId }: PayableCode,
    wrong: WrongTry,
    call: Call,
  ): Promise<never> {
    const tries = await store.forTenant(call.tenantId).countWrongCode(payableId, codeId);
    if (tries === undefined) throw codeLocked();
    throw new Refusal(wrong.code, wrong.message, { figures: { triesLeft: String(maxTries - tries) } });
  }

  /**
   * One try of code and document. Refuses PICKUP_CODE_WRONG and DOCUMENT_MISMATCH saying how many
   * are left, PICKUP_CODE_LOCKED.
   */
  async function tried(payable: CounterPayable, said: string, shown: Shown, call: Call): Promise<SeenDocument> {
    const code = assertMayTry(payable);
    if (!(await isSpokenCode(code, said))) return refuseTry(payable, code, wrongCode, call);
    const { customerId, createdAt: onFileBefore } = payable;
    // Whoever pays could put on file what they show.
    const compared = await identity.compareDocument({ customerId, ...shown, onFileBefore }, outgoing(call));
    const document = seenDocument(shown, compared);
    return document ?? refuseTry(payable, code, wrongDocument, call);
  }

  return { found, tried };
}

/** STATE_CONFLICT of what is paid. */
export function refusedAsPaid({ status }: CounterPayable): Refusal | undefined {
  if (status === "PAYING") return passing("STATE_CONFLICT", "it is being paid");
  return status === "PAID" ? new Refusal("STATE_CONFLICT", "it is paid") : undefined;
}

/** It is their own money back: only a block keeps it. */
export async function refusedToSender(
  { moves }: Pick<WalletDeps, "moves">,
  { customerId }: CounterPayable,
  call: Call,
): Promise<Refusal | undefined> {
  const { refusal, isHeld } = await moves.ask({ customerId, kind: "REFUND_RECEIVED" }, call);
  if (refusal === undefined && isHeld) throw refusedNeutrally();
  return refusal;
}

type Shown = { type: DocumentType; number: string };
type WrongTry = { code: "PICKUP_CODE_WRONG" | "DOCUMENT_MISMATCH"; message: string };

const wrongCode: WrongTry = { code: "PICKUP_CODE_WRONG", message: "the code is wrong" };
const wrongDocument: WrongTry = {
  code: "DOCUMENT_MISMATCH",
  message: "the document is none of those that are on file of the sender",
};
