import { rowKindsOf } from "../kernel/outbox/index.js";

/** Kinds of the ledger's outbox rows, as they are stored. */
export const rowKinds = rowKindsOf({});
