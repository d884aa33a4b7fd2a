import type { Client } from "../../../kernel/grpc/client.js";
import type { Call } from "../../../kernel/grpc/context.js";
import type { RunOnce } from "../../../kernel/idempotency/index.js";
import { Refusal } from "../../../kernel/refusal.js";
import type { IdentityServiceDefinition } from "../../../../proto/gen/identity/v1/identity.js";
import type { Case } from "../domain/case.js";
import type { CaseStore } from "../store/cases.js";
import type { ScreeningStore } from "../../screening/store/screenings.js";
import type { CaseContents } from "./case-content.js";
import type { ComplianceDeps } from "../../common/handlers/deps.js";
import { isOwnSubject } from "../../common/handlers/own-subject.js";

/** What the rpcs of cases work with. */
export type CaseDeps = Pick<ComplianceDeps, "store" | "people" | "times" | "clock"> & {
  cases: CaseStore;
  screenings: ScreeningStore;
  contents: CaseContents;
  runOnce: RunOnce;
  identity: Pick<Client<IdentityServiceDefinition>, "listStaffUsers">;
};

/** Whether it is about the member of staff who calls; to them it is not there. */
export function isOwnCase({ subjectKind, subjectId }: Case, call: Call): boolean {
  return isOwnSubject({ kind: subjectKind, id: subjectId }, call);
}

export function noCase(): Refusal {
  return new Refusal("NOT_FOUND", "no such case");
}
