import { LedgerServiceDefinition } from "../../proto/gen/ledger/v1/ledger.js";
import { createClient, outgoing, type Client } from "../shared/grpc/client.js";
import type { ServiceTokenSigner } from "../shared/tokens/service-tokens.js";
import type { Forward } from "./posting.js";
import { postingToWire } from "./wire-postings.js";

type LedgerClient = Client<LedgerServiceDefinition> & { close(): void };

// Replicas come and go under new addresses; those not asked for longest are let go.
const maxClients = 32;

/** Clients of the other replicas, by address. An owner that does not answer within `timeoutMs` is taken for gone. */
export function createForwarding(signer: ServiceTokenSigner, timeoutMs: number): { forward: Forward; close(): void } {
  const clients = new Map<string, LedgerClient>();

  function clientOf(address: string): LedgerClient {
    let client = clients.get(address);
    client ??= createClient(LedgerServiceDefinition, { address, audience: "ledger", signer });
    clients.delete(address);
    clients.set(address, client);
    for (const [oldest, unused] of clients) {
      if (clients.size <= maxClients) break;
      clients.delete(oldest);
      unused.close();
    }
    return client;
  }

  return {
    async forward(address, posting, { tenantId, interactionId, deadline, signal }) {
      const call = {
        tenantId,
        interactionId,
        ...(deadline === undefined ? {} : { deadline }),
        ...(signal === undefined ? {} : { signal }),
      };
      const request = { request: postingToWire(posting), onBehalfOf: posting.service };
      return (await clientOf(address).postForwardedTransfers(request, outgoing(call, { timeoutMs }))).results;
    },
    close() {
      for (const client of clients.values()) client.close();
      clients.clear();
    },
  };
}
