import type {
  LedgerServiceDefinition,
  PostTransfersRequest,
  PostTransfersResponse,
} from "../../../proto/gen/ledger/v1/ledger.js";
import { batchCalls } from "../../kernel/grpc/batch-calls.js";
import type { BatchingClient } from "../../kernel/grpc/client.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";

type LedgerClient = BatchingClient<LedgerServiceDefinition>;
type Request = WirePartial<PostTransfersRequest>;

const maxTransfers = 1_000;

/**
 * The ledger with what one process's callers post gathered, a thousand transfers to a call at most.
 */
export function batchPostings<L extends Pick<LedgerClient, "postTransfers" | "batch">>(ledger: L): L {
  const postTransfers = batchCalls<Request, PostTransfersResponse>({
    what: "posting",
    single: (request, call) => ledger.postTransfers(request, call),
    batch: (postings, call) => ledger.batch("postTransfers", postings, call),
    maxBatchSize: maxTransfers,
    weightOf: transferCount,
  });
  return { ...ledger, postTransfers };
}

export function transferCount({ groups = [] }: Request): number {
  return groups.reduce((sum, group) => sum + (group.transfers?.length ?? 0), 0);
}
