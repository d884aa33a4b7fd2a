import { ComplianceServiceDefinition } from "../../proto/gen/compliance/v1/compliance.js";
import { IdentityServiceDefinition } from "../../proto/gen/identity/v1/identity.js";
import { LedgerServiceDefinition } from "../../proto/gen/ledger/v1/ledger.js";
import { RemittanceServiceDefinition } from "../../proto/gen/remittance/v1/remittance.js";
import type { ServiceNetwork } from "./service-network.js";
import { createFaults } from "./rpc-faults.js";
import { createStandInLedger } from "./stand-in-ledger.js";
import { createStandInRemittance } from "./stand-in-remittance.js";
import { createStandInIdentity } from "./stand-in-identity.js";
import { createStandInEvents } from "./stand-in-events.js";
import { createStandInCompliance } from "./stand-in-compliance.js";
import { createStandInPlugins } from "./stand-in-plugins.js";

export async function createWalletNeighbours(network: ServiceNetwork) {
  const faults = createFaults();
  const identity = createStandInIdentity(faults);
  const ledger = createStandInLedger(faults, identity.today);
  const remittance = createStandInRemittance(faults, ledger);
  const compliance = createStandInCompliance(faults);
  const plugins = createStandInPlugins();
  const events = await createStandInEvents(network);
  return {
    events,
    faults,
    ledger,
    compliance,
    remittance,
    identity,
    plugins,
    addresses: {
      IDENTITY_ADDRESS: await network.standIn("identity", IdentityServiceDefinition, identity.handlers, [
        plugins.served,
      ]),
      COMPLIANCE_ADDRESS: await network.standIn("compliance", ComplianceServiceDefinition, compliance.handlers),
      LEDGER_ADDRESS: await network.standIn("ledger", LedgerServiceDefinition, ledger.handlers),
      REMITTANCE_ADDRESS: await network.standIn("remittance", RemittanceServiceDefinition, remittance.handlers),
      EVENTS_ADDRESS: events.address,
    },
  };
}
