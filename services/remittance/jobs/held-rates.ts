import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { changeOf } from "../../platform/approvals/approval-changes.js";
import type { Approvals } from "../../platform/approvals/approvals.js";
import { outgoing, type Client } from "../../kernel/grpc/client.js";
import type { OutboxRow, RowHandler } from "../../kernel/outbox/index.js";
import { jumpText, nameOfPair, type HeldRate } from "../domain/guard-band.js";
import type { RemittanceStore } from "../store/index.js";
import { rowKinds } from "../row-kinds.js";

// A rate of a week ago is no answer to today's question.
const asksForS = 24 * 60 * 60;

/** Has managers asked about rates that jumped, and takes back what is not said any more. */
export function heldRateRows({
  store,
  approvals,
  identity,
}: {
  store: RemittanceStore;
  approvals: Approvals;
  identity: Pick<Client<IdentityServiceDefinition>, "withdrawApproval">;
}): Record<string, RowHandler> {
  const heldOf = ({ tenantId, payload }: OutboxRow) => {
    const { heldId } = payload as { heldId: string };
    return store.forTenant(tenantId).findHeldRate({ heldId });
  };
  return {
    async [rowKinds.requestRateApproval](row, { signal }) {
      const { tenantId, interactionId } = row;
      const held = await heldOf(row);
      if (held?.status !== "WAITING") return;
      const { approvalId } = await approvals.ask({ tenantId, interactionId, signal }, questionOf(held));
      await store.forTenant(tenantId).noteHeldRate(held.heldId, { approvalId });
    },

    async [rowKinds.withdrawRateQuestion](row, { signal }) {
      const held = await heldOf(row);
      // Nothing was asked where it was closed first.
      if (held?.approvalId === undefined) return;
      const reason = "withdrawn: the source says something else by now";
      await identity.withdrawApproval({ approvalId: held.approvalId, reason }, outgoing({ ...row, signal }));
    },
  };
}

function questionOf(held: HeldRate) {
  const { heldId, rate, beforeRate, guardPercent, source } = held;
  const pair = nameOfPair(held);
  const jump = beforeRate === undefined ? "the first rate" : `instead of ${beforeRate} (${jumpText(beforeRate, rate)})`;
  const why =
    beforeRate === undefined
      ? "the source has had no such pair before"
      : `the rate jumps by more than ${guardPercent} % in one reading`;
  return {
    idempotencyKey: `held-rate:${heldId}`,
    kind: "RATE_CHANGE" as const,
    subject: `rate:${pair}`,
    summary: `${pair} ${rate}, ${jump}, by ${source}`,
    reason: why,
    payload: { heldId },
    changes: changeOf(`${pair}.rate`, beforeRate, rate),
    expiresInS: asksForS,
  };
}
