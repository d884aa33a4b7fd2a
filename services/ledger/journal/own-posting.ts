import { randomUUID } from "node:crypto";
import type { GroupResult } from "../../../proto/gen/ledger/v1/ledger.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import type { LinkedGroup, NewTransfer } from "../domain/model.js";
import type { createPosting } from "./posting.js";

/** A linked group that the ledger itself posts; the keys decide once, for ever. */
export interface OwnGroup {
  readonly transfers: readonly NewTransfer[];
  /** User id, or "ledger". */
  readonly createdBy: string;
  readonly interactionId?: string;
}

export type OwnPosting = ReturnType<typeof createOwnPosting>;

/** Posts what people settle, write and close. */
export function createOwnPosting(posting: Pick<ReturnType<typeof createPosting>, "post">) {
  return {
    /** The decision of each group, in order. Refuses UNAVAILABLE while nothing is decided. */
    async post(
      tenantId: string,
      groups: readonly OwnGroup[],
      call: { readonly deadline?: Date | undefined; readonly signal?: AbortSignal | undefined } = {},
    ): Promise<WirePartial<GroupResult>[]> {
      const linked = groups.map(({ transfers, createdBy, interactionId = randomUUID() }): LinkedGroup => ({
        transfers,
        createdBy,
        interactionId,
        service: "ledger",
      }));
      const [first] = linked;
      if (first === undefined) return [];
      const { interactionId, createdBy } = first;
      return posting.post({ groups: linked, createdBy, service: "ledger" }, { ...call, tenantId, interactionId });
    },
  };
}
