import { LedgerServiceDefinition } from "../../../proto/gen/ledger/v1/ledger.js";
import { batchPostings } from "../../platform/neighbours/posting-batches.js";
import { createClient, outgoing, type Client } from "../../kernel/grpc/client.js";
import type { ServiceTokenSigner } from "../../kernel/tokens/service-tokens.js";
import { ledgerMetrics } from "../metrics.js";
import type { Forward } from "./posting.js";
import { postingToWire } from "../wire/postings.js";

type LedgerClient = Client<LedgerServiceDefinition>;

/** Another replica. */
interface Replica {
  readonly client: LedgerClient & { close(): void };
  /** One per service: its postings that come while two calls are under way go with the next. */
  readonly batchers: Map<string, Pick<LedgerClient, "postTransfers">>;
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
    replica ??= {
      client: createClient(LedgerServiceDefinition, { address, audience: "ledger", signer }),
      batchers: new Map(),
    };
    replicas.delete(address);
    replicas.set(address, replica);
    for (const [oldest, unused] of replicas) {
      if (replicas.size <= maxReplicas) break;
      replicas.delete(oldest);
      unused.client.close();
    }
    return replica;
  }

  function batcherOf({ client, batchers }: Replica, service: string): Pick<LedgerClient, "postTransfers"> {
    let batcher = batchers.get(service);
    if (batcher === undefined) batchers.set(service, (batcher = batchPostings(onBehalfOf(service, client))));
    return batcher;
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
      const batcher = batcherOf(replicaAt(address), posting.service);
      return (await batcher.postTransfers(postingToWire(posting), outgoing(call, { timeoutMs }))).results;
    },
    close() {
      for (const { client } of replicas.values()) client.close();
      replicas.clear();
    },
  };
}

/** A replica as one service's postings are forwarded to it. */
function onBehalfOf(service: string, client: LedgerClient): Pick<LedgerClient, "postTransfers" | "postBatched"> {
  return {
    postTransfers: (request, options) => client.postForwardedTransfers({ request, onBehalfOf: service }, options),
    postBatched: ({ postings }, options) => client.postForwardedBatched({ postings, onBehalfOf: service }, options),
  };
}
