import { v7 as uuidv7 } from "uuid";
import type { ComplianceServiceDefinition } from "../../../proto/gen/compliance/v1/compliance.js";
import type { Clock } from "../../kernel/time/clock.js";
import { outgoing, type Client } from "../../kernel/grpc/client.js";
import type { NewRow, RowHandler } from "../../kernel/outbox/index.js";
import { crashPoint as atCrashPoint } from "../../kernel/process/crash-point.js";
import type { Beneficiary } from "../domain/beneficiary.js";
import { reviseRecipient, type Transaction } from "../domain/transaction.js";
import { knownMembersOf, waitsForKnown } from "../domain/transparency.js";
import type { RemittanceStore } from "../store/index.js";
import { rowKinds } from "../row-kinds.js";

interface Revised {
  customerId: string;
  recipientCode: string;
  /** One that has just begun to wait; all that waits where it is absent. */
  transactionId?: string;
}

/** How many are read and told at a time. */
const batchSize = 50;
// Longer than a single one: compliance decides on all of them.
const timeoutMs = 30_000;

/**
 * Has what waits to a recipient decided anew, with what is known of them when the row runs: all of
 * it, or the one transaction.
 */
export function revisedRow(
  of: Pick<NewRow, "tenantId" | "interactionId" | "actor">,
  { customerId, code: recipientCode }: Pick<Beneficiary, "customerId" | "code">,
  transactionId?: string,
): NewRow {
  const payload: Revised = { customerId, recipientCode, ...(transactionId !== undefined && { transactionId }) };
  const aggregate = `revised-recipient:${uuidv7()}`;
  return { ...of, aggregate, seq: 1, kind: rowKinds.reviseRecipient, payload: { ...payload } };
}

/**
 * Tells compliance of what waits for it what is known of the recipient now, some at a time. What
 * they are is kept with each transaction first: whoever is asked once more says the same.
 */
export function revisedRecipients({
  store,
  compliance,
  clock,
  crashPoint = atCrashPoint,
}: {
  store: RemittanceStore;
  compliance: Pick<Client<ComplianceServiceDefinition>, "reviseTransparency">;
  clock: Clock;
  /** In place of the process's own. */
  crashPoint?: (name: string) => void;
}): Record<string, RowHandler> {
  /** Keeps what is known of the recipient now; the transaction then. */
  async function revise(
    tenantId: string,
    found: Transaction,
    recipient: Beneficiary,
    signal: AbortSignal,
  ): Promise<Transaction | undefined> {
    const tenant = store.forTenant(tenantId);
    for (let before: Transaction | undefined = found; ;) {
      signal.throwIfAborted();
      const change = before && reviseRecipient(before, recipient);
      if (before === undefined || change === undefined) return before;
      const after = await tenant.change(before, change, { at: clock.now(), actor: "remittance" });
      if (after !== undefined) return after;
      before = await tenant.findTransaction(found.transactionId);
    }
  }

  return {
    async [rowKinds.reviseRecipient](row, { signal }) {
      const { tenantId } = row;
      const { customerId, recipientCode, transactionId: only } = row.payload as unknown as Revised;
      const tenant = store.forTenant(tenantId);
      const recipient = await tenant.findBeneficiary({ code: recipientCode, customerId });
      if (recipient === undefined) return;
      const tell = async (ids: readonly string[], isTold: (transaction: Transaction) => boolean) => {
        const found = await tenant.listTransactions({ ids });
        const revised = await Promise.all(found.map((one) => revise(tenantId, one, recipient, signal)));
        crashPoint("remittance.recipient.revised");
        const told = revised.filter((one) => one !== undefined && isTold(one)) as Transaction[];
        if (told.length === 0) return;
        const request = told.map((one) => ({ transactionId: one.transactionId, knownMembers: knownMembersOf(one) }));
        await compliance.reviseTransparency({ revised: request }, outgoing({ ...row, signal }, { timeoutMs }));
      };
      if (only !== undefined) return tell([only], waitsForKnown);
      const { beneficiaryId } = recipient;
      let some: string[] = [];
      do {
        signal.throwIfAborted();
        some = await tenant.listWaitingTo({ customerId, beneficiaryId }, { after: some.at(-1), limit: batchSize });
        if (some.length > 0) await tell(some, () => true);
      } while (some.length === batchSize);
    },
  };
}
