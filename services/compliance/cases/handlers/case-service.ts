import { CaseServiceDefinition } from "../../../../proto/gen/compliance/v1/cases.js";
import { alsoServe, type AnyServedService } from "../../../kernel/grpc/server.js";
import { caseAccess } from "./case-access.js";
import { caseFileHandlers } from "./case-files.js";
import { caseReadHandlers } from "./case-reads.js";
import { caseHandlers, type CaseDeps } from "./cases.js";
import { caseExportHandlers } from "./case-export.js";

/** What compliance officers work in, served beside the decisions. */
export function serveCases(deps: CaseDeps): AnyServedService {
  return alsoServe({
    definition: CaseServiceDefinition,
    access: caseAccess,
    handlers: {
      ...caseHandlers(deps),
      ...caseReadHandlers(deps),
      ...caseFileHandlers(deps),
      ...caseExportHandlers(deps),
    },
  });
}
