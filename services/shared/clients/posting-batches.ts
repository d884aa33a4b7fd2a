import type {
  LedgerServiceDefinition,
  PostTransfersRequest,
  PostTransfersResponse,
} from "../../../proto/gen/ledger/v1/ledger.js";
import { gatherCalls } from "../batching/batch-calls.js";
import type { Client } from "../grpc/client.js";
import type { WirePartial } from "../grpc/definition.js";

type LedgerClient = Client<LedgerServiceDefinition>;
type Request = WirePartial<PostTransfersRequest>;

const mostTransfers = 1_000;

/** The ledger with what one process's callers post gathered, a thousand transfers to a call at most. */
export function gatherPostings<L extends Pick<LedgerClient, "postTransfers" | "postGathered">>(ledger: L): L {
  const postTransfers = gatherCalls<Request, PostTransfersResponse>({
    what: "posting",
    alone: (request, call) => ledger.postTransfers(request, call),
    together: async (postings, call) => (await ledger.postGathered({ postings }, call)).answers,
    mostTogether: mostTransfers,
    weightOf: ({ groups = [] }) => groups.reduce((sum, group) => sum + (group.transfers?.length ?? 0), 0),
  });
  return { ...ledger, postTransfers };
}
