import type { LinkedGroup, Transfer } from "../../../services/ledger/domain/model.js";
import type { Sent } from "./history.js";

/** The linked groups of a journal, in its order. */
export interface Placed {
  readonly group: LinkedGroup;
  readonly transfers: readonly Transfer[];
}

/** Finds for each linked group of the journal what was sent; throws on one that nobody sent. */
export function placedOf(transfers: readonly Transfer[], sent: ReadonlyMap<string, Sent>): Placed[] {
  const groups: Placed[] = [];
  for (let at = 0; at < transfers.length; at += transfers[at]!.link.size) {
    const some = transfers.slice(at, at + transfers[at]!.link.size);
    const group = sent.get(some[0]!.link.key)?.group ?? expiryOf(some[0]!);
    groups.push({ group, transfers: some });
  }
  return groups;
}

/** What the ledger's own sweep asks. */
function expiryOf({ key, mode, kind, refersTo, description, metadata, ...by }: Transfer): LinkedGroup {
  if (mode !== "EXPIRE_PENDING") throw new Error(`nobody sent ${key}`);
  const requested = { key, mode, kind, refersTo, description, metadata, debitAccountId: "", creditAccountId: "" };
  return { transfers: [requested], createdBy: by.createdBy, interactionId: by.interactionId, service: by.service };
}
