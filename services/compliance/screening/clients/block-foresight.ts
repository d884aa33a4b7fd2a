import type {
  BlockTransactionsRequest,
  ReleaseBlockedTransactionsRequest,
  RemittanceServiceDefinition,
} from "../../../../proto/gen/remittance/v1/remittance.js";
import type {
  SetCustomerWalletsFrozenRequest,
  WalletServiceDefinition,
} from "../../../../proto/gen/wallet/v1/wallet.js";
import { effectFromWire, type ApprovalEffect } from "../../../platform/approvals/approval-effects.js";
import { outgoing, type Client, type OutgoingContext } from "../../../kernel/grpc/client.js";
import { setUp } from "../../common/clients/set-up.js";

export type BlockForesight = ReturnType<typeof createBlockForesight>;

/**
 * What remittance and wallet would do about a block now, as they tell it. Refuses
 * UNAVAILABLE where one is not set up.
 */
export function createBlockForesight({
  remittance,
  wallet,
}: {
  remittance: Pick<Client<RemittanceServiceDefinition>, "foreseeBlock" | "foreseeBlockRelease"> | undefined;
  wallet: Pick<Client<WalletServiceDefinition>, "foreseeCustomerWalletsFrozen"> | undefined;
}) {
  return {
    async block(requested: BlockTransactionsRequest, call: OutgoingContext): Promise<ApprovalEffect[]> {
      return (await setUp(remittance, "REMITTANCE").foreseeBlock(requested, outgoing(call))).effects.map(
        effectFromWire,
      );
    },
    async release(requested: ReleaseBlockedTransactionsRequest, call: OutgoingContext): Promise<ApprovalEffect[]> {
      const { effects } = await setUp(remittance, "REMITTANCE").foreseeBlockRelease(requested, outgoing(call));
      return effects.map(effectFromWire);
    },
    async freeze(requested: SetCustomerWalletsFrozenRequest, call: OutgoingContext): Promise<ApprovalEffect[]> {
      const { effects } = await setUp(wallet, "WALLET").foreseeCustomerWalletsFrozen(requested, outgoing(call));
      return effects.map(effectFromWire);
    },
  };
}
