import { ComplianceServiceDefinition } from "../../../proto/gen/compliance/v1/compliance.js";
import { EventsServiceDefinition } from "../../../proto/gen/events/v1/events.js";
import { NotificationServiceDefinition } from "../../../proto/gen/events/v1/notifications.js";
import { ApprovalOutcomeServiceDefinition } from "../../../proto/gen/identity/v1/approvals.js";
import { OpenMoneyServiceDefinition, PersonalDataServiceDefinition } from "../../../proto/gen/identity/v1/erasure.js";
import type { PublisherDeps } from "../../platform/events/publisher.js";
import type { Client } from "../../kernel/grpc/client.js";
import type { TemplateClient } from "../../platform/messages/written.js";
import type { ServiceName } from "../../kernel/grpc/context.js";
import type { Opened } from "../../kernel/startup/start-service.js";
import type { IdentityConfig } from "../config.js";
import { personalDataKeepers, type PersonalDataKeeper } from "../domain/erasure.js";

/** Services that ask for approvals and take the outcome. */
export type OutcomeClients = Partial<Record<ServiceName, Client<ApprovalOutcomeServiceDefinition>>>;
/** Services that keep personal data and erase it. */
export type PersonalDataClients = Partial<
  Record<PersonalDataKeeper, Pick<Client<PersonalDataServiceDefinition>, "erasePerson">>
>;
/** Services in which money is a person's, or owed by them. */
export type MoneyClients = Partial<Record<ServiceName, Pick<Client<OpenMoneyServiceDefinition>, "listOpenMoney">>>;
export type ComplianceClient = Pick<Client<ComplianceServiceDefinition>, "notePersonChange">;

export interface Neighbours {
  outcomes: OutcomeClients;
  keepers: PersonalDataClients;
  money: MoneyClients;
  compliance: ComplianceClient | undefined;
  events: PublisherDeps["events"];
  /** Whose words messages come in. */
  templates: TemplateClient;
}

/** Who is asked what is not settled with somebody. */
export const moneyServices: readonly ServiceName[] = ["remittance", "wallet", "lending", "investment"];

/**
 * Clients of the services whose addresses are known. What an unknown one is to be told waits in the
 * outbox.
 */
export function connectNeighbours({ config, connect }: Opened<IdentityConfig>): Neighbours {
  const outcomes: OutcomeClients = {};
  const keepers: PersonalDataClients = {};
  const money: MoneyClients = {};
  for (const service of ["compliance", "remittance", "wallet", "lending", "investment", "ledger", "events"] as const) {
    const address = config[`${service.toUpperCase() as Uppercase<typeof service>}_ADDRESS`];
    if (address === undefined) continue;
    outcomes[service] = connect(ApprovalOutcomeServiceDefinition, service, address);
    const keeper = personalDataKeepers.find((one) => one === service);
    if (keeper !== undefined) keepers[keeper] = connect(PersonalDataServiceDefinition, keeper, address);
    if (moneyServices.includes(service)) money[service] = connect(OpenMoneyServiceDefinition, service, address);
  }
  return {
    outcomes,
    keepers,
    money,
    compliance: connect(ComplianceServiceDefinition, "compliance", config.COMPLIANCE_ADDRESS),
    events: connect(EventsServiceDefinition, "events", config.EVENTS_ADDRESS),
    templates: connect(NotificationServiceDefinition, "events", config.EVENTS_ADDRESS),
  };
}
