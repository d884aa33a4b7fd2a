import type { ComplianceServiceDefinition } from "../../../proto/gen/compliance/v1/compliance.js";
import type { Clock } from "../../kernel/time/clock.js";
import { outgoing, type Client } from "../../kernel/grpc/client.js";
import type { NewRow, Outbox, OutboxRow, RowHandler } from "../../kernel/outbox/index.js";
import type { Beneficiary } from "../domain/beneficiary.js";
import type { RemittanceStore } from "../store/index.js";
import { rowKinds } from "../row-kinds.js";

interface Removed {
  customerId: string;
  recipientCode: string;
}

const hourMs = 3_600_000;
const hourlyRounds = 24;

/** Has compliance told of a recipient who was removed. */
export function removedRow(
  of: Pick<NewRow, "tenantId" | "interactionId" | "actor">,
  { beneficiaryId, customerId, code: recipientCode }: Pick<Beneficiary, "beneficiaryId" | "customerId" | "code">,
): NewRow {
  const payload: Removed = { customerId, recipientCode };
  return {
    ...of,
    aggregate: `removed-recipient:${beneficiaryId}`,
    seq: 1,
    kind: rowKinds.forgetRecipient,
    payload: { ...payload },
  };
}

/**
 * Has compliance compare removed recipients with lists no more. As long as a transaction to them is
 * not over, or something found of them waits for a person, it is asked again: every hour for a day,
 * then every day. Another round is another row: waiting is no failure. The first round asks
 * nothing: what was being created as they were removed is not kept yet, and is by the second.
 */
export function removedRecipients({
  store,
  compliance,
  outbox,
  clock,
}: {
  store: RemittanceStore;
  compliance: Pick<Client<ComplianceServiceDefinition>, "forgetRecipient">;
  outbox: Outbox;
  /** When work is due. */
  clock: Clock;
}): Record<string, RowHandler> {
  async function isStillNeeded(row: OutboxRow, signal: AbortSignal): Promise<boolean> {
    if (row.seq === 1) return true;
    const removed = row.payload as unknown as Removed;
    if (await store.forTenant(row.tenantId).isAnyUnderWay(removed)) return true;
    return (await compliance.forgetRecipient(removed, outgoing({ ...row, signal }))).isKept;
  }

  return {
    async [rowKinds.forgetRecipient](row, { signal, complete }) {
      if (!(await isStillNeeded(row, signal))) return;
      const { id: _id, ...same } = row;
      const pauseMs = row.seq < hourlyRounds ? hourMs : 24 * hourMs;
      const next = { ...same, seq: row.seq + 1, dueAt: new Date(clock.now().getTime() + pauseMs) };
      await store.transaction(
        async (session) => {
          await outbox.add(next, session);
          await complete(session);
          return true;
        },
        async () => undefined,
      );
    },
  };
}
