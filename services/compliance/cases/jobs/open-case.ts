import { v7 as uuidv7 } from "uuid";
import { openCase, type Opening } from "../domain/case-opening.js";
import type { CaseChange } from "../domain/case.js";
import type { Session } from "../../decisions/store/index.js";
import type { TenantCases } from "../store/cases.js";

/**
 * A new case of a subject that has no open one, under the next number of the tenant. It is not
 * written yet, so that what it is opened for joins it in the same write.
 */
export async function newCase(
  cases: TenantCases,
  requested: Omit<Opening, "caseId" | "number" | "previous">,
  now: Date,
  session: Session,
): Promise<CaseChange> {
  const previous = await cases.findLastCase(requested.subject, session);
  const number = await cases.nextNumber(session);
  return openCase({ ...requested, caseId: uuidv7(), number, ...(previous !== undefined && { previous }) }, now);
}

/** Two changes of a case as one, with the entries of both. */
export function andThen(first: CaseChange, next: (before: CaseChange["after"]) => CaseChange): CaseChange {
  const { after, events } = next(first.after);
  return { after, events: [...first.events, ...events] };
}
