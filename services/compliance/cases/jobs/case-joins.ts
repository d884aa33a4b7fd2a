import { crashPoint } from "../../../kernel/process/crash-point.js";
import type { RowHandler } from "../../../kernel/outbox/index.js";
import type { CaseJoin } from "../../common/domain/case-join.js";
import { joinCase, opensCase } from "../domain/case-opening.js";
import { reopenCase, type Case } from "../domain/case.js";
import type { CaseStore, TenantCases } from "../store/cases.js";
import type { ComplianceStore, Session } from "../../decisions/store/index.js";
import { openJoinRow } from "../../common/store/join-rows.js";
import { rowKinds } from "../../common/store/outbox-rows.js";
import type { TextCipher } from "../../screening/store/screening-cipher.js";
import { andThen, newCase } from "./open-case.js";

/**
 * Has hits and reviews join their subject's case, and opens one where none is open. A row is
 * applied once: its entry in the timeline, the case and the row's end are one commit.
 */
export function caseJoins({
  store,
  cases,
  cipher,
}: {
  store: ComplianceStore;
  cases: CaseStore;
  cipher: TextCipher;
}): Record<string, RowHandler> {
  return {
    async [rowKinds.caseJoin](row, { complete }) {
      const ofTenant = cases.forTenant(row.tenantId);
      const join = await openJoinRow(cipher, row);
      await store.transaction(
        async (session) => {
          if (!(await ofTenant.isApplied(row.id, session))) await applyJoin(ofTenant, join, row.id, session);
          crashPoint("compliance.case.joining");
          await complete(session);
          return true;
        },
        async () => ((await ofTenant.isApplied(row.id)) ? true : undefined),
      );
      crashPoint("compliance.case.joined");
    },
  };
}

async function applyJoin(cases: TenantCases, join: CaseJoin, rowId: string, session: Session): Promise<void> {
  const { actor, at } = join;
  const cause = { actor, at, rowId };
  if (!opensCase(join)) {
    for (const before of await concerned(cases, join, session)) {
      const isOpened = join.reopens === true && before.isOpen !== true && !(await cases.findOpenCase(join, session));
      const change = isOpened
        ? andThen(reopenCase(before, join.text, at), (now) => joinCase(now, join, at))
        : joinCase(before, join, at);
      await cases.putCase(change, cause, session);
    }
    return;
  }
  const open = await cases.findOpenCase(join, session);
  if (open !== undefined) {
    await cases.putCase(joinCase(open, join, at), cause, session);
    return;
  }
  const { kind, subjectKind, subjectId, customerId } = join;
  const opened = await newCase(cases, { kind, subject: { subjectKind, subjectId, customerId } }, at, session);
  await cases.insertCase(
    andThen(opened, (before) => joinCase(before, join, at)),
    cause,
    session,
  );
}

/**
 * The open cases that hold what was decided, or else the newest of those that are closed: an
 * officer may have closed it by another way since.
 */
async function concerned(cases: TenantCases, join: CaseJoin, session: Session): Promise<Case[]> {
  const { screeningId, transactionId, event } = join;
  const of =
    event !== "REVIEW_DECIDED" && screeningId !== undefined
      ? { screeningIds: screeningId }
      : { transactionIds: transactionId ?? "" };
  const found = await cases.findCasesWith(of, session);
  const open = found.filter(({ isOpen }) => isOpen === true);
  return open.length > 0 ? open : found.slice(0, 1);
}
