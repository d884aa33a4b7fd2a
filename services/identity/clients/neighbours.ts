import { ComplianceServiceDefinition } from "../../../proto/gen/compliance/v1/compliance.js";
import { ApprovalOutcomeServiceDefinition } from "../../../proto/gen/identity/v1/approvals.js";
import { PersonalDataServiceDefinition } from "../../../proto/gen/identity/v1/erasure.js";
import { createClient, type Client } from "../../shared/grpc/client.js";
import type { ServiceName } from "../../shared/grpc/context.js";
import type { GrpcDefinition } from "../../shared/grpc/definition.js";
import type { ServiceTokenSigner } from "../../shared/tokens/service-tokens.js";
import { personalDataKeepers, type PersonalDataKeeper } from "../domain/erasure.js";

/** Services that ask for approvals and take the outcome. */
export type OutcomeClients = Partial<Record<ServiceName, Client<ApprovalOutcomeServiceDefinition>>>;
/** Services that keep personal data and erase it. */
export type PersonalDataClients = Partial<
  Record<PersonalDataKeeper, Pick<Client<PersonalDataServiceDefinition>, "erasePerson">>
>;
export type ComplianceClient = Pick<Client<ComplianceServiceDefinition>, "notePersonChange">;

export interface Neighbours {
  outcomes: OutcomeClients;
  keepers: PersonalDataClients;
  compliance: ComplianceClient | undefined;
  close(): void;
}

/** Clients of the services whose addresses are known. What an unknown one is to be told waits in the outbox. */
export function createNeighbours(
  addresses: Partial<Record<ServiceName, string | undefined>>,
  signer: ServiceTokenSigner,
): Neighbours {
  const opened: { close(): void }[] = [];
  function open<D extends GrpcDefinition>(definition: D, audience: ServiceName, address: string) {
    const client = createClient(definition, { address, audience, signer });
    opened.push(client);
    return client;
  }

  const known = (Object.entries(addresses) as [ServiceName, string | undefined][]).flatMap(([service, address]) =>
    address === undefined ? [] : [{ service, address }],
  );
  const outcomes: OutcomeClients = {};
  const keepers: PersonalDataClients = {};
  for (const { service, address } of known) {
    outcomes[service] = open(ApprovalOutcomeServiceDefinition, service, address);
    const keeper = personalDataKeepers.find((one) => one === service);
    if (keeper !== undefined) keepers[keeper] = open(PersonalDataServiceDefinition, keeper, address);
  }
  const { compliance } = addresses;
  return {
    outcomes,
    keepers,
    compliance: compliance === undefined ? undefined : open(ComplianceServiceDefinition, "compliance", compliance),
    close() {
      for (const client of opened) client.close();
    },
  };
}
