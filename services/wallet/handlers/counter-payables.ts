import { randomBytes, randomUUID } from "node:crypto";
import {
  PayCounterPayableRequest,
  PayCounterPayableResponse,
  type CounterServiceDefinition,
} from "../../../proto/gen/wallet/v1/counter.js";
import { refusedNeutrally } from "../../platform/neighbours/customer-moves.js";
import { outgoing } from "../../kernel/grpc/client.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { invalidInput, passing, Refusal } from "../../kernel/refusal.js";
import { isSpokenCode, newSpokenCode } from "../../kernel/text/spoken-code.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import {
  assertIssuedByAnother,
  assertMayTry,
  codeLocked,
  counterPayableAccount,
  maxTries,
  seenDocument,
  transferOfCounterPayable,
  type CounterPayable,
  type DocumentType,
  type PayableCode,
  type SeenDocument,
} from "../domain/counter-payable.js";
import { notOpen, tillAccounts, tillShort } from "../domain/till.js";
import { counterPayableToWire, documentFromWire } from "../wire/counter-payables.js";
import { ownTill } from "./cash.js";
import type { WalletDeps } from "./deps.js";
import { assertManagedByAgent, assertSells } from "./managed-customers.js";
import { runMovement } from "./run-movement.js";

/** What came back of counter sales: listed, given a code, and paid out of a till. */
export function counterPayableHandlers(deps: WalletDeps) {
  const { store, identity, clock } = deps;

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
    const compared = await identity.compareDocument({ customerId: payable.customerId, ...shown }, outgoing(call));
    const document = seenDocument(shown, compared);
    return document ?? refuseTry(payable, code, wrongDocument, call);
  }

  return {
    async listCounterPayables(request, call) {
      await assertSells(deps, call);
      const { role, userId, customerId = "" } = requireUser(call);
      const size = request.pageSize || 20;
      if (size < 1 || size > 100) throw invalidInput("pageSize", "must be 1 to 100");
      textFromWire(request.cursor, "cursor", { minimum: 0 });
      const transactionCode = textFromWire(request.transactionCode, "transactionCode", { minimum: 0, maximum: 40 });
      const fit = {
        ...(role === "CUSTOMER" && { customerId }),
        ...(role === "AGENT" && { soldBy: userId }),
        ...(request.status !== "" && { status: statusFromWire(request.status) }),
        ...(transactionCode !== "" && { transactionCode: transactionCode.trim().toUpperCase() }),
      };
      const all = await store.forTenant(call.tenantId).listCounterPayables(fit, request.cursor, size + 1);
      const payables = all.slice(0, size);
      return {
        payables: payables.map(counterPayableToWire),
        nextCursor: all.length > size ? (payables.at(-1)?.payableId ?? "") : "",
      };
    },

    async issueCounterPayableCode(request, call) {
      await assertSells(deps, call);
      const { payableId, transactionCode } = await found(request.payableId, call);
      const { code, kept } = await newSpokenCode(randomBytes);
      const { userId: issuedBy } = requireUser(call);
      const issued = { ...kept, codeId: randomUUID(), tries: 0, issuedBy, issuedAt: clock.now() };
      const after = await store.forTenant(call.tenantId).putPayableCode(payableId, issued);
      if (after === undefined) throw new Refusal("STATE_CONFLICT", "it is paid, or being paid");
      return { code, transactionCode };
    },

    /**
     * Refuses TILL_NOT_OPEN, CURRENCY_MISMATCH, STATE_CONFLICT of what is paid, COMPLIANCE_REJECTED
     * of a sender who is blocked, and TILL_SHORT before a try of the code is counted; FORBIDDEN of
     * whoever issued the code, who could take the cash alone. A corrected code or document goes
     * through under the same key.
     */
    async payCounterPayable(request, call) {
      await assertSells(deps, call);
      const till = await ownTill(store, request.tillId, call);
      const said = textFromWire(request.code, "code", { maximum: 40 });
      const shown = documentFromWire(request.document);
      const payable = await found(request.payableId, call);
      return runMovement<PayCounterPayableRequest, PayCounterPayableResponse>(deps, {
        operation: "wallet.v1.PayCounterPayable",
        request,
        requestType: PayCounterPayableRequest,
        omit: ["code", "document"],
        response: PayCounterPayableResponse,
        call,
        plan: async (movementId) => {
          const { customerId, amountMinor, currency, status } = payable;
          if (till.status !== "OPEN") return notOpen(till.status);
          if (till.currency !== currency) {
            return new Refusal("CURRENCY_MISMATCH", `the till holds ${till.currency}, ${currency} is owed`);
          }
          if (status === "PAYING") return passing("STATE_CONFLICT", "it is being paid");
          if (status === "PAID") return new Refusal("STATE_CONFLICT", "it is paid");
          if (till.expectedMinor < amountMinor) return tillShort();
          assertIssuedByAnother(payable, till.cashierId);
          // It is their own money back: only a block keeps it.
          const { refusal, isHeld } = await deps.moves.ask({ customerId, kind: "REFUND_RECEIVED" }, call);
          if (refusal !== undefined) return refusal;
          if (isHeld) throw refusedNeutrally();
          const document = await tried(payable, said, shown, call);
          const { tillId, cashierId: paidBy, role } = till;
          return {
            kind: "COUNTER_PAYABLE",
            accountId: "",
            customerId,
            ownAccounts: [...tillAccounts(till), counterPayableAccount(currency)],
            transfers: [transferOfCounterPayable(payable, till, movementId)],
            subjectId: tillId,
            subjectMinor: -amountMinor,
            counterPayable: { ...payable, paidBy, tillId, document },
            ...(role !== undefined && { createdByRole: role }),
          };
        },
      });
    },
  } satisfies Partial<Handlers<CounterServiceDefinition>>;
}

type Shown = { type: DocumentType; number: string };
type WrongTry = { code: "PICKUP_CODE_WRONG" | "DOCUMENT_MISMATCH"; message: string };

const wrongCode: WrongTry = { code: "PICKUP_CODE_WRONG", message: "the code is wrong" };
const wrongDocument: WrongTry = {
  code: "DOCUMENT_MISMATCH",
  message: "the document is none of those that are on file of the sender",
};

function statusFromWire(text: string): "OPEN" | "PAID" {
  if (text !== "OPEN" && text !== "PAID") throw invalidInput("status", "must be OPEN or PAID");
  return text;
}
