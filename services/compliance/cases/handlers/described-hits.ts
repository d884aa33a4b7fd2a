import type { ScreeningServiceDefinition } from "../../../../proto/gen/compliance/v1/screening.js";
import type { Handlers } from "../../../kernel/grpc/server.js";
import { invalidInput } from "../../../kernel/refusal.js";
import { idFromWire } from "../../../kernel/text/wire-text.js";
import { transactionToWire } from "../wire/case-content.js";
import { hitSummaryToWire } from "../../screening/wire/hit-summaries.js";
import type { ComplianceDeps } from "../../common/handlers/deps.js";
import { isOwnSubject } from "../../common/handlers/own-subject.js";

const maxApprovals = 1_000;
const transactionsShown = 10;

/**
 * What a second manager decides on, for a whole list of approvals at once: identity keeps them
 * unsealed, by ids alone. An approval of several hits of a screening has all of them. A hit that
 * another approval was asked for since is left out: it stands as the later one has it.
 */
export function describedHitHandlers({
  screenings,
  cases,
  contents,
}: Pick<ComplianceDeps, "screenings" | "cases" | "contents">) {
  return {
    async describeHits({ approvals }, call) {
      if (approvals.length > maxApprovals) throw invalidInput("approvals", `must have at most ${maxApprovals}`);
      const ids = approvals.map(({ screeningId }, index) => idFromWire(screeningId, `approvals.${index}.screeningId`));
      const found = await screenings.forTenant(call.tenantId).findMany([...new Set(ids)]);
      const byId = new Map(found.map((one) => [one.screeningId, one]));
      const described = approvals.flatMap(({ approvalId, screeningId }) => {
        const screening = byId.get(screeningId);
        if (screening === undefined || isOwnSubject(screening.subject, call)) return [];
        const hits = screening.hits.filter((one) => one.approvalId === approvalId);
        return hits.length === 0 ? [] : [{ approvalId, screening, hits }];
      });
      const shown = new Set(described.flatMap(({ screening }) => screening.transactionIds.slice(-transactionsShown)));
      const [caseIds, transactions] = await Promise.all([
        cases.forTenant(call.tenantId).caseIdsOf([...new Set(described.map((one) => one.screening.screeningId))]),
        contents.transactionsOf([...shown], false, call),
      ]);
      return {
        approvals: described.map(({ approvalId, screening, hits }) => ({
          approvalId,
          hits: hits.map((hit) => hitSummaryToWire({ screening, hit })),
          releasedAs: hits[0]?.release?.way ?? "",
          caseId: caseIds.get(screening.screeningId) ?? "",
          transactionCount: screening.transactionIds.length,
          transactions: screening.transactionIds
            .slice(-transactionsShown)
            .toReversed()
            .flatMap((id) => transactions.get(id) ?? [])
            .map(transactionToWire),
        })),
      };
    },
  } satisfies Partial<Handlers<ScreeningServiceDefinition>>;
}
