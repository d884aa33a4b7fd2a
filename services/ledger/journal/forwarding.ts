import { LedgerServiceDefinition } from "../../../proto/gen/ledger/v1/ledger.js";
import { batchPostings } from "../../shared/clients/posting-batches.js";
import { createClient, outgoing, type Client } from "../../shared/grpc/client.js";
import type { ServiceName } from "../../shared/grpc/context.js";
import type { ServiceTokenSigner } from "../../shared/tokens/service-tokens.js";
import type { Forward } from "./posting.js";
import { postingToWire } from "../wire/postings.js";

type LedgerClient = Client<LedgerServiceDefinition>;

/** Another replica. */
interface Neighbour {
  readonly client: LedgerClient & { close(): void };
  /** What postings of each service are sent by: those that come while others are under way go together. */
  readonly lanes: Map<ServiceName, Pick<LedgerClient, "postTransfers">>;
}

// Replicas come and go under new addresses; those not asked for longest are let go.
const maxNeighbours = 32;

/** Clients of the other replicas, by address. An owner that does not answer within `timeoutMs` is taken for gone. */
export function createForwarding(signer: ServiceTokenSigner, timeoutMs: number): { forward: Forward; close(): void } {
  const neighbours = new Map<string, Neighbour>();

  function neighbourAt(address: string): Neighbour {
    let neighbour = neighbours.get(address);
    neighbour ??= {
      client: createClient(LedgerServiceDefinition, { address, audience: "ledger", signer }),
      lanes: new Map(),
    };
    neighbours.delete(address);
    neighbours.set(address, neighbour);
    for (const [oldest, unused] of neighbours) {
      if (neighbours.size <= maxNeighbours) break;
      neighbours.delete(oldest);
      unused.client.close();
    }
    return neighbour;
  }

  function laneOf({ client, lanes }: Neighbour, service: ServiceName): Pick<LedgerClient, "postTransfers"> {
    let lane = lanes.get(service);
    if (lane === undefined) lanes.set(service, (lane = batchPostings(onBehalfOf(service, client))));
    return lane;
  }

  return {
    async forward(address, posting, { tenantId, interactionId, deadline, signal }) {
      const call = {
        tenantId,
        interactionId,
        ...(deadline === undefined ? {} : { deadline }),
        ...(signal === undefined ? {} : { signal }),
      };
      const lane = laneOf(neighbourAt(address), posting.service);
      return (await lane.postTransfers(postingToWire(posting), outgoing(call, { timeoutMs }))).results;
    },
    close() {
      for (const { client } of neighbours.values()) client.close();
      neighbours.clear();
    },
  };
}

/** A replica as one service's postings are forwarded to it. */
function onBehalfOf(service: ServiceName, client: LedgerClient): Pick<LedgerClient, "postTransfers" | "postBatched"> {
  return {
    postTransfers: (request, options) => client.postForwardedTransfers({ request, onBehalfOf: service }, options),
    postBatched: ({ postings }, options) => client.postForwardedBatched({ postings, onBehalfOf: service }, options),
  };
}
