import { v7 as uuidv7 } from "uuid";
import type { ComplianceServiceDefinition } from "../../../proto/gen/compliance/v1/compliance.js";
import type { Clock } from "../../kernel/time/clock.js";
import { outgoing, type Client } from "../../kernel/grpc/client.js";
import type { NewRow, RowHandler } from "../../kernel/outbox/index.js";
import { crashPoint as atCrashPoint } from "../../kernel/process/crash-point.js";
import type { Beneficiary } from "../domain/beneficiary.js";
import { reviseRecipient, type Transaction } from "../domain/transaction.js";
import { knownMembersOf } from "../domain/transparency.js";
import type { RemittanceStore } from "../store/index.js";
import { rowKinds } from "../row-kinds.js";

interface Revised {
  customerId: string;
  recipientCode: string;
}

/** How many are read and told at a time. */
const batchSize = 50;

/** Has what waits to a recipient decided anew, with what is known of them when the row runs. */
export function revisedRow(
  of: Pick<NewRow, "tenantId" | "interactionId" | "actor">,
  { customerId, code: recipientCode }: Pick<Beneficiary, "customerId" | "code">,
): NewRow {
  const payload: Revised = { customerId, recipientCode };
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
  /** Keeps what is known of the recipient now; the transaction then, where it still waits. */
  async function revise(
    tenantId: string,
    transactionId: string,
    recipient: Beneficiary,
    signal: AbortSignal,
  ): Promise<Transaction | undefined> {
    const tenant = store.forTenant(tenantId);
    for (;;) {
      signal.throwIfAborted();
      const before = await tenant.findTransaction(transactionId);
      const change = before && reviseRecipient(before, recipient);
      if (before === undefined || change === undefined) return before;
      const after = await tenant.change(before, change, { at: clock.now(), actor: "remittance" });
      if (after !== undefined) return after;
    }
  }

  return {
    async [rowKinds.reviseRecipient](row, { signal }) {
      const { tenantId } = row;
      const { customerId, recipientCode } = row.payload as unknown as Revised;
      const tenant = store.forTenant(tenantId);
      const recipient = await tenant.findBeneficiary({ code: recipientCode, customerId });
      if (recipient === undefined) return;
      const tell = async (transactionId: string) => {
        const revised = await revise(tenantId, transactionId, recipient, signal);
        crashPoint("remittance.recipient.revised");
        if (revised === undefined) return;
        const knownMembers = knownMembersOf(revised);
        await compliance.reviseTransparency({ transactionId, knownMembers }, outgoing({ ...row, signal }));
      };
      const { beneficiaryId } = recipient;
      let some: string[] = [];
      do {
        signal.throwIfAborted();
        some = await tenant.listWaitingTo({ customerId, beneficiaryId }, { after: some.at(-1), limit: batchSize });
        await Promise.all(some.map(tell));
      } while (some.length === batchSize);
    },
  };
}
