import { rowKindsOf } from "../kernel/outbox/index.js";

/** Kinds of the ledger's outbox rows, as they are stored. */
export const rowKinds = rowKindsOf({
  /** Takes the lines of a settlement that names a day. */
  gatherSettlementLines: "gather-settlement-lines",
  postSettlement: "post-settlement",
  reverseSettlement: "reverse-settlement",
  freeSettlementLines: "free-settlement-lines",
  /** Gives up a settlement, or a reversal, which nobody asked an approval for. */
  forgetUnaskedSettlement: "forget-unasked-settlement",
  /** Has identity end the approval of a settlement that is over. */
  withdrawSettlementApproval: "withdraw-settlement-approval",
  /** Posts a journal that a second person has approved. */
  postManualJournal: "post-manual-journal",
  /** Builds the package of a closing. */
  buildPackage: "build-package",
});
