import type { ComplianceServiceDefinition } from "../../../proto/gen/compliance/v1/compliance.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { contactHandlers } from "./contacts.js";
import { customerHandlers } from "./customers.js";
import type { ComplianceDeps } from "./deps.js";
import { documentHandlers } from "./documents.js";
import { overrideHandlers } from "./overrides.js";
import { personHandlers } from "./persons.js";
import { policyHandlers } from "./policy.js";
import { transactionHandlers } from "./transactions.js";

/** The rpcs of compliance. */
export function createComplianceHandlers(deps: ComplianceDeps): Handlers<ComplianceServiceDefinition> {
  return {
    ...policyHandlers(deps),
    ...customerHandlers(deps),
    ...contactHandlers(deps),
    ...personHandlers(deps),
    ...documentHandlers(deps),
    ...overrideHandlers(deps),
    ...transactionHandlers(deps),
  };
}
