import type { ComplianceServiceDefinition } from "../../../proto/gen/compliance/v1/compliance.js";
import { outgoing, type Client } from "../../kernel/grpc/client.js";
import type { Outbox, OutboxRow, RelayContext } from "../../kernel/outbox/index.js";
import { releaseOne, type ExpiredTogether } from "../sagas/outbox-rows.js";
import type { RemittanceStore } from "../store/index.js";

// Longer than a single one: compliance works through hundreds.
const timeoutMs = 30_000;

/**
 * Has compliance release what transactions that expired together held, by one call. One that is
 * refused goes on by a row of its own, where it is tried again or parked.
 */
export function createReleaseOfMany(
  compliance: Pick<Client<ComplianceServiceDefinition>, "releaseReservations">,
  { transaction, addAll, wake }: Pick<RemittanceStore, "transaction"> & Pick<Outbox, "addAll" | "wake">,
) {
  async function leftOf(row: OutboxRow, expired: ExpiredTogether["expired"], { signal }: RelayContext) {
    const transactionIds = expired.map(({ transactionId }) => transactionId);
    const call = outgoing({ ...row, signal }, { timeoutMs });
    const { answers } = await compliance.releaseReservations({ transactionIds }, call);
    // What is not answered is asked again as what is refused.
    return expired.filter((_one, index) => answers[index]?.refusal !== "");
  }

  return async function releaseAll(
    row: OutboxRow,
    expired: ExpiredTogether["expired"],
    context: RelayContext,
  ): Promise<void> {
    const left = await leftOf(row, expired, context);
    if (left.length === 0) return;
    context.log.warn({ left: left.length, of: expired.length }, "reservations are released one by one");
    await transaction(
      async (session) => {
        await context.complete(session);
        await addAll(
          left.map((one) => releaseOne(row, one)),
          session,
        );
        return true;
      },
      async () => undefined,
    );
    wake();
  };
}
