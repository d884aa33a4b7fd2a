import {
  LedgerServiceDefinition,
  type PostForwardedTransfersRequest,
  type PostForwardedTransfersResponse,
} from "../../../proto/gen/ledger/v1/ledger.js";
import { transferCount } from "../../platform/neighbours/posting-batches.js";
import { batchCalls } from "../../kernel/grpc/batch-calls.js";
import { createClient, outgoing, type CallOptions } from "../../kernel/grpc/client.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import type { ServiceTokenSigner } from "../../kernel/tokens/service-tokens.js";
import { maxTransfersPerCall } from "../domain/model.js";
import { ledgerMetrics } from "../metrics.js";
import type { Forward } from "./posting.js";
import { postingToWire } from "../wire/postings.js";

type Request = WirePartial<PostForwardedTransfersRequest>;

/** Another replica: postings that come while two calls are under way go with the next. */
interface Replica {
  readonly client: { close(): void };
  post(request: Request, call: CallOptions): Promise<PostForwardedTransfersResponse>;
}

// Replicas come and go under new addresses; those not asked for longest are let go.
const maxReplicas = 32;

/**
 * Clients of the other replicas, by address. An owner that does not answer within `timeoutMs` is
 * taken for gone.
 */
export function createForwarding(signer: ServiceTokenSigner, timeoutMs: number): { forward: Forward; close(): void } {
  const replicas = new Map<string, Replica>();

  function replicaAt(address: string): Replica {
    let replica = replicas.get(address);
    replica ??= openReplica(address, signer);
    replicas.delete(address);
    replicas.set(address, replica);
    for (const [oldest, unused] of replicas) {
      if (replicas.size <= maxReplicas) break;
      replicas.delete(oldest);
      unused.client.close();
    }
    return replica;
  }

  return {
    async forward(address, posting, { tenantId, interactionId, deadline, signal }) {
      ledgerMetrics.forwarded.inc();
      const call = {
        tenantId,
        interactionId,
        ...(deadline === undefined ? {} : { deadline }),
        ...(signal === undefined ? {} : { signal }),
      };
      const request = { request: postingToWire(posting), onBehalfOf: posting.service };
      return (await replicaAt(address).post(request, outgoing(call, { timeoutMs }))).results;
    },
    close() {
      for (const { client } of replicas.values()) client.close();
      replicas.clear();
    },
  };
}

function openReplica(address: string, signer: ServiceTokenSigner): Replica {
  const client = createClient(LedgerServiceDefinition, { address, audience: "ledger", signer });
  const post = batchCalls<Request, PostForwardedTransfersResponse>({
    what: "posting",
    single: (request, call) => client.postForwardedTransfers(request, call),
    batch: (postings, call) => client.batch("postForwardedTransfers", postings, call),
    maxBatchSize: maxTransfersPerCall,
    weightOf: ({ request = {} }) => transferCount(request),
  });
  return { client, post };
}
