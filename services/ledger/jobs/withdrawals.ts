import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { outgoing, type Client } from "../../kernel/grpc/client.js";
import type { RowHandler } from "../../kernel/outbox/index.js";
import { rowKinds } from "../row-kinds.js";

export type WithdrawingIdentity = Pick<Client<IdentityServiceDefinition>, "withdrawApproval">;

/** Takes back what was asked of identity and waits for nobody any more. */
export const approvalWithdrawals = (identity: WithdrawingIdentity): Record<string, RowHandler> => ({
  async [rowKinds.withdrawSettlementApproval](row, { signal }) {
    const { approvalId } = row.payload as { approvalId: string };
    const reason = "withdrawn: the settlement is over";
    await identity.withdrawApproval({ approvalId, reason }, outgoing({ ...row, signal }));
  },
});
