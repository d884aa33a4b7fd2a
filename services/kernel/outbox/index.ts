export { laterWhileBusy } from "./busy-partner.js";
export type { AttachedRelay, Outbox, OutboxOptions, RowRef } from "./outbox.js";
export { createOutbox, createOutboxIndexes } from "./outbox.js";
export { defaultBackoff, doublingPause, longestPauseMs } from "./pause.js";
export type { Relay, RelayOptions } from "./relay.js";
export { startRelay } from "./relay.js";
export { startRelays } from "./relays.js";
export { rowKindsOf, type RowKind } from "./row-kinds.js";
export type {
  NewRow,
  OperatorComment,
  OutboxRow,
  RelayContext,
  RowCipher,
  RowHandler,
  RowState,
  RowView,
} from "./row.js";
