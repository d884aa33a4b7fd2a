import type { Transfer } from "../../../proto/gen/ledger/v1/ledger.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import { moneyToWire } from "../../kernel/money.js";
import type { PlannedTransfer } from "../domain/transfers.js";

export function transferToWire(transfer: PlannedTransfer): WirePartial<Transfer> {
  const { amount, mode = "TRANSFER_MODE_POSTED", timeoutS, ...rest } = transfer;
  return {
    ...rest,
    mode,
    ...(mode === "TRANSFER_MODE_VOID_PENDING" ? {} : { amount: moneyToWire(amount) }),
    ...(timeoutS === undefined ? {} : { pendingTimeout: { seconds: BigInt(timeoutS), nanos: 0 } }),
  };
}
