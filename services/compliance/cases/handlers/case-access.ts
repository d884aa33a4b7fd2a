import type { CaseServiceDefinition } from "../../../../proto/gen/compliance/v1/cases.js";
import type { Access, RpcAccess } from "../../../kernel/grpc/server.js";

const managers: RpcAccess = { callers: ["gateway"], user: "required", roles: ["MANAGER"] };

/** Cases are for managers alone: what they hold may reach nobody whom they are about. */
export const caseAccess: Access<CaseServiceDefinition> = {
  openCase: managers,
  listCases: managers,
  countCases: managers,
  getCase: managers,
  changeCase: managers,
  addCaseNote: managers,
  uploadCaseFilePart: managers,
  attachCaseFile: managers,
  readCaseFile: managers,
  closeCase: managers,
  reopenCase: managers,
  exportCase: managers,
};
