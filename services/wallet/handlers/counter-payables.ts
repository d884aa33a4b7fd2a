import { randomBytes, randomUUID } from "node:crypto";
import {
  PayCounterPayableRequest,
  PayCounterPayableResponse,
  type CounterServiceDefinition,
} from "../../../proto/gen/wallet/v1/counter.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { newSpokenCode } from "../../kernel/text/spoken-code.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import {
  assertIssuedByAnother,
  counterPayableAccount,
  givenPayable,
  transferOfCounterPayable,
  type CounterPayable,
} from "../domain/counter-payable.js";
import { notOpen, tillAccounts, tillShort } from "../domain/till.js";
import type { PayableFit } from "../store/counter-payables.js";
import { counterPayableToWire, documentFromWire } from "../wire/counter-payables.js";
import { movedAs, ownTill } from "./cash.js";
import { counterPayableTries, refusedAsPaid, refusedToSender } from "./counter-payable-tries.js";
import type { WalletDeps } from "./deps.js";
import { assertSells, listsOwnCustomers, managedPages } from "./managed-customers.js";
import { runMovement } from "./run-movement.js";

/** What came back of counter sales: listed, given a code, and paid out of a till. */
export function counterPayableHandlers(deps: WalletDeps) {
  const { store, clock } = deps;
  const { found, tried } = counterPayableTries(deps);

  /**
   * The newest. An agent's are those that they may issue codes for and pay, whoever sold them: as
   * many as are wanted of each page of their customers, and of these the newest.
   */
  async function newestFor(call: Call, fit: PayableFit, before: string, limit: number): Promise<CounterPayable[]> {
    const { role, customerId = "" } = requireUser(call);
    const wallet = store.forTenant(call.tenantId);
    if (role === "CUSTOMER") return wallet.listCounterPayables({ ...fit, customerIds: [customerId] }, before, limit);
    if (!(await listsOwnCustomers(deps, call))) return wallet.listCounterPayables(fit, before, limit);
    let newest: CounterPayable[] = [];
    for await (const page of managedPages(deps, call)) {
      const customerIds = page.map((one) => one.customerId);
      const found = await wallet.listCounterPayables({ ...fit, customerIds }, before, limit);
      newest = [...newest, ...found].toSorted((one, other) => (one.payableId < other.payableId ? 1 : -1));
      newest = newest.slice(0, limit);
    }
    return newest;
  }

  return {
    async listCounterPayables(request, call) {
      await assertSells(deps, call);
      const size = request.pageSize || 20;
      if (size < 1 || size > 100) throw invalidInput("pageSize", "must be 1 to 100");
      textFromWire(request.cursor, "cursor", { minimum: 0 });
      const transactionCode = textFromWire(request.transactionCode, "transactionCode", { minimum: 0, maximum: 40 });
      const fit = {
        ...(request.status !== "" && { status: statusFromWire(request.status) }),
        ...(transactionCode !== "" && { transactionCode: transactionCode.trim().toUpperCase() }),
      };
      const all = await newestFor(call, fit, request.cursor, size + 1);
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
          const { customerId, amountMinor, currency } = payable;
          if (till.status !== "OPEN") return notOpen(till.status);
          if (till.currency !== currency) {
            return new Refusal("CURRENCY_MISMATCH", `the till holds ${till.currency}, ${currency} is owed`);
          }
          const notNow = refusedAsPaid(payable);
          if (notNow !== undefined) return notNow;
          if (till.expectedMinor < amountMinor) return tillShort();
          assertIssuedByAnother(payable, till.cashierId);
          const refusal = await refusedToSender(deps, payable, call);
          if (refusal !== undefined) return refusal;
          const document = await tried(payable, said, shown, call);
          const { tillId, cashierId: paidBy } = till;
          return {
            kind: "COUNTER_PAYABLE",
            accountId: "",
            customerId,
            ownAccounts: [...tillAccounts(till), counterPayableAccount(currency)],
            transfers: [transferOfCounterPayable(payable, till, movementId)],
            subjectId: tillId,
            subjectMinor: -amountMinor,
            counterPayable: givenPayable(payable, { paidBy, tillId, document }),
            ...movedAs(call),
          };
        },
      });
    },
  } satisfies Partial<Handlers<CounterServiceDefinition>>;
}

function statusFromWire(text: string): "OPEN" | "PAID" {
  if (text !== "OPEN" && text !== "PAID") throw invalidInput("status", "must be OPEN or PAID");
  return text;
}
