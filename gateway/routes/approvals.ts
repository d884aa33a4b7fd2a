import { z } from "zod";
import type { Approval as WireApproval } from "../../proto/gen/identity/v1/approvals.js";
import { Approval, approvalFromWire, approvalStatuses } from "../../services/shared/api/approval-shape.js";
import { outgoing } from "../../services/shared/grpc/client.js";
import type { Clients } from "../clients.js";
import { route, type EdgeCall } from "../route.js";
import { text } from "../schema.js";
import { absentIfEmpty, filled } from "../wire.js";
import { v6 } from "./base.js";
import { CaseTransaction, caseTransactionFromWire, HitSummary, hitSummaryFromWire } from "./case-content-shapes.js";
import { releaseWays } from "./screening-shapes.js";

const base = `${v6}/admin/approvals`;
const ofHits: readonly string[] = ["SCREENING_CONFIRMATION", "SCREENING_RELEASE"];

/** What whoever decides on a hit reads, in the place of ids: names are opened for this answer, and identity keeps none. */
const ApprovalHit = z
  .object({
    hit: HitSummary,
    releasedAs: z.enum(releaseWays).optional().meta({ description: "Of a release." }),
    caseId: z.string().optional(),
    transactionCount: z.number().int().meta({ description: "Of those that the comparison names." }),
    transactions: z.array(CaseTransaction).meta({ description: "The newest ten of them." }),
  })
  .meta({ id: "ApprovalHit" });

const ApprovalWithHits = Approval.extend({
  hits: z.array(ApprovalHit).optional().meta({
    description:
      "All that it decides on, of SCREENING_CONFIRMATION and SCREENING_RELEASE. Absent while compliance is away, and once the hits were asked about again.",
  }),
}).meta({ id: "ApprovalWithHits" });

/** By approval: one call for all of them, and none where no approval is of a hit. */
async function hitsOf(approvals: readonly WireApproval[], call: EdgeCall, clients: Clients) {
  const asked = approvals.flatMap(({ approvalId, kind, subject }) => {
    const [, screeningId] = /^screening:(.+)$/.exec(subject) ?? [];
    return ofHits.includes(kind) && screeningId !== undefined ? [{ approvalId, screeningId }] : [];
  });
  const found = new Map<string, z.output<typeof ApprovalHit>[]>();
  if (asked.length === 0) return found;
  // Approvals of money are decided also while compliance is away.
  const answer = await clients.screening
    .describeHits({ approvals: asked }, outgoing(call))
    .catch(() => ({ approvals: [] }));
  for (const { approvalId, hits, releasedAs, caseId, transactionCount, transactions } of answer.approvals) {
    const same = {
      releasedAs: absentIfEmpty(releasedAs) as (typeof releaseWays)[number] | undefined,
      caseId: absentIfEmpty(caseId),
      transactionCount,
      transactions: transactions.map(caseTransactionFromWire),
    };
    found.set(
      approvalId,
      hits.map((hit) => ({ hit: hitSummaryFromWire(hit), ...same })),
    );
  }
  return found;
}

export const listApprovals = route({
  method: "get",
  path: base,
  operationId: "listApprovals",
  tag: "Approvals",
  summary: "List what waits for a second person, or was decided",
  access: ["MANAGER"],
  query: z.object({ status: z.enum(approvalStatuses).optional(), cursor: text(64).optional() }),
  answer: z.object({ approvals: z.array(ApprovalWithHits), cursor: z.string().optional() }),
  message: "Approvals",
  example: { as: "manager@demo.example" },
  run: async ({ query, call, clients }) => {
    const request = { status: query.status ?? "", pageToken: query.cursor ?? "", pageSize: 100 };
    const { approvals, nextPageToken } = await clients.identity.listApprovals(request, outgoing(call));
    const hits = await hitsOf(approvals, call, clients);
    const shown = approvals.map((one) => {
      const found = hits.get(one.approvalId);
      return { ...approvalFromWire(one), ...(found !== undefined && { hits: found }) };
    });
    return { approvals: shown, cursor: absentIfEmpty(nextPageToken) };
  },
});

function decision(verb: "approve" | "refuse", message: string) {
  return route({
    method: "post",
    path: `${base}/:approvalId/${verb}`,
    operationId: `${verb}Approval`,
    tag: "Approvals",
    summary: `${verb === "approve" ? "Approve" : "Refuse"} what somebody else asked for`,
    access: ["MANAGER"],
    params: z.object({ approvalId: text(64) }),
    body: z.object({ reason: text(100) }).meta({ id: `Approval${verb === "approve" ? "Consent" : "Refusal"}` }),
    answer: Approval,
    message,
    example: {
      as: "manager@demo.example",
      params: { approvalId: "0199d0c2-0000-7000-8000-000000000001" },
      body: { reason: "checked against the bank's statement" },
      answers: 404,
    },
    run: async ({ params, body, call, clients }) => {
      const request = { ...params, ...body, approve: verb === "approve" };
      return approvalFromWire(
        filled((await clients.identity.resolveApproval(request, outgoing(call))).approval, "approval"),
      );
    },
  });
}

export const approveApproval = decision("approve", "Approved");
export const refuseApproval = decision("refuse", "Refused");
