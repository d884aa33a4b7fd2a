import { TransferMode as WireMode } from "../../../proto/gen/ledger/v1/ledger.js";
import type { NewTransfer, TransferMode } from "../domain/model.js";
import { isReversal } from "../domain/steps.js";

/** Of the wire; three of them say more than the mode alone. */
const modes = {
  [WireMode.TRANSFER_MODE_POSTED]: "POSTED",
  [WireMode.TRANSFER_MODE_PENDING]: "PENDING",
  [WireMode.TRANSFER_MODE_POST_PENDING]: "POST_PENDING",
  [WireMode.TRANSFER_MODE_VOID_PENDING]: "VOID_PENDING",
  [WireMode.TRANSFER_MODE_REVERSAL]: "POSTED",
  [WireMode.TRANSFER_MODE_POSTED_UP_TO]: "POSTED",
  [WireMode.TRANSFER_MODE_PENDING_UP_TO]: "PENDING",
} as const satisfies Partial<Record<WireMode, TransferMode>>;

const upToModes: ReadonlySet<WireMode> = new Set([
  WireMode.TRANSFER_MODE_POSTED_UP_TO,
  WireMode.TRANSFER_MODE_PENDING_UP_TO,
]);

/** Undefined for what this version does not know. */
export function modeFromWire(mode: WireMode): { mode: TransferMode; isUpTo: boolean; isReversal: boolean } | undefined {
  if (!Object.hasOwn(modes, mode)) return undefined;
  return {
    mode: modes[mode as keyof typeof modes],
    isUpTo: upToModes.has(mode),
    isReversal: mode === WireMode.TRANSFER_MODE_REVERSAL,
  };
}

type Named = Pick<NewTransfer, "mode" | "refersTo" | "isUpTo">;

export function modeToWire(transfer: Named): { mode: WireMode } {
  const { mode, isUpTo } = transfer;
  // Callers see the ledger's own release as the void that it is; the state tells that it expired.
  if (mode === "EXPIRE_PENDING") return { mode: WireMode.TRANSFER_MODE_VOID_PENDING };
  if (isReversal(transfer)) return { mode: WireMode.TRANSFER_MODE_REVERSAL };
  if (isUpTo === true && mode === "POSTED") return { mode: WireMode.TRANSFER_MODE_POSTED_UP_TO };
  if (isUpTo === true && mode === "PENDING") return { mode: WireMode.TRANSFER_MODE_PENDING_UP_TO };
  return { mode: WireMode[`TRANSFER_MODE_${mode}`] };
}

/** The transfer that one acts on, under the name that its mode gives it. */
export function namedToWire(transfer: Named): { reversesKey: string } | { pendingKey: string } {
  const { refersTo } = transfer;
  return isReversal(transfer) ? { reversesKey: refersTo } : { pendingKey: refersTo };
}
