import type { ScreeningServiceDefinition } from "../../../../proto/gen/compliance/v1/screening.js";
import type { Access, RpcAccess } from "../../../kernel/grpc/server.js";

const managers: RpcAccess = { callers: ["gateway"], user: "required", roles: ["MANAGER"] };
// The operator's lists are loaded by hand with nobody signed in.
const loaders: RpcAccess = { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER"] };

/**
 * Screening is for managers alone: nothing of it may reach whom it is about, or who serves them.
 */
export const screeningAccess: Access<ScreeningServiceDefinition> = {
  listScreeningLists: loaders,
  getScreeningList: loaders,
  uploadScreeningListPart: loaders,
  loadScreeningList: loaders,
  approveScreeningList: loaders,

  getScreeningPolicy: managers,
  saveScreeningPolicyDraft: managers,
  getScreeningPolicyDraft: managers,
  tryScreeningPolicyDraft: managers,
  publishScreeningPolicyDraft: managers,

  searchScreeningLists: managers,
  listScreenings: managers,
  getScreening: managers,
  describeHits: managers,
  decideHit: managers,
  decideHits: managers,
  releaseConfirmedHit: managers,

  listScreeningExemptions: managers,
  endScreeningExemption: managers,
};
