import { EventsServiceDefinition } from "../../../proto/gen/events/v1/events.js";
import { NotificationServiceDefinition } from "../../../proto/gen/events/v1/notifications.js";
import { RemittanceServiceDefinition } from "../../../proto/gen/remittance/v1/remittance.js";
import { WalletServiceDefinition } from "../../../proto/gen/wallet/v1/wallet.js";
import type { Opened } from "../../kernel/startup/start-service.js";
import type { ComplianceConfig } from "../config.js";

/** Clients of the services whose addresses are known: they are told what was decided. */
export function connectNeighbours({ config, connect }: Opened<ComplianceConfig>) {
  return {
    remittance: connect(RemittanceServiceDefinition, "remittance", config.REMITTANCE_ADDRESS),
    wallet: connect(WalletServiceDefinition, "wallet", config.WALLET_ADDRESS),
    events: connect(EventsServiceDefinition, "events", config.EVENTS_ADDRESS),
    templates: connect(NotificationServiceDefinition, "events", config.EVENTS_ADDRESS),
  };
}
