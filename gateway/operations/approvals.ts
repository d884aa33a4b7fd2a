import { z } from "zod";
import type { Approval as WireApproval } from "../../proto/gen/identity/v1/approvals.js";
import { approvalKinds } from "../../services/platform/approvals/approval-kinds.js";
import {
  Approval,
  approvalStatuses,
  effectsFromWire,
  approvalEffects,
} from "../../services/platform/events/shapes/approval-shape.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import type { Clients } from "../clients.js";
import { readerOf, absentIfEmpty, filled, shape } from "../codec.js";
import { operation } from "../operation.js";
import { route, type EdgeCall, v6 } from "../route.js";
import { text, sizeOf, reasonIn } from "../schema.js";
import { HitSummary, CaseTransaction } from "../shapes/cases.js";
import { assertWaitingServed } from "./plugin-changes.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";
import * as wire from "../../proto/gen/compliance/v1/screening.js";
import { releaseWays } from "../shapes/screenings.js";

const byDeciders = { tag: "Approvals", access: ["MANAGER"], scopes: ["approvals:decide"] } as const;

/** What all hits have in common that one approval decides on. */
export const CaseOfHits = shape(
  wire.DescribedHits,
  z.object({
    releasedAs: z.enum(releaseWays).optional().meta({ description: "Of a release." }),
    caseId: z.string().optional(),
    transactionCount: z.number().int().meta({ description: "Of those that the comparison names." }),
    transactions: z.array(CaseTransaction).meta({ description: "The newest ten of them." }),
  }),
);

/**
 * What whoever decides on a hit reads, in the place of ids: names are opened for this
 * answer, and identity keeps none.
 */
export const ApprovalHit = z.object({ hit: HitSummary, ...CaseOfHits.shape }).meta({ id: "ApprovalHit" });

export const ApprovalWithHits = Approval.extend({
  hits: z.array(ApprovalHit).optional().meta({
    description:
      "All that it decides on, of SCREENING_CONFIRMATION and SCREENING_RELEASE. Absent while compliance is away, and once the hits were asked about again.",
  }),
}).meta({ id: "ApprovalWithHits" });

export const ApprovalWithEffects = ApprovalWithHits.extend(approvalEffects).meta({ id: "ApprovalWithEffects" });

const approvalOf = readerOf(Approval);
const caseOf = readerOf(CaseOfHits);
const hitsIn = readerOf(z.array(HitSummary));
const base = `${v6}/admin/approvals`;
const ofHits: readonly string[] = ["SCREENING_CONFIRMATION", "SCREENING_RELEASE"];

/** By approval: one call for all of them, and none where no approval is of a hit. */
async function hitsOf(approvals: readonly WireApproval[], call: EdgeCall, clients: Clients) {
  const requested = approvals.flatMap(({ approvalId, kind, subject }) => {
    const [, screeningId] = /^screening:(.+)$/.exec(subject) ?? [];
    return ofHits.includes(kind) && screeningId !== undefined ? [{ approvalId, screeningId }] : [];
  });
  const found = new Map<string, z.output<typeof ApprovalHit>[]>();
  if (requested.length === 0) return found;
  // Approvals of money are decided also while compliance is away.
  const answer = await clients.screening
    .describeHits({ approvals: requested }, outgoing(call))
    .catch(() => ({ approvals: [] }));
  for (const described of answer.approvals) {
    const same = caseOf(described);
    found.set(
      described.approvalId,
      hitsIn(described.hits).map((hit) => ({ hit, ...same })),
    );
  }
  return found;
}

async function withHits(approvals: readonly WireApproval[], call: EdgeCall, clients: Clients) {
  const hits = await hitsOf(approvals, call, clients);
  return approvals.map((one) => {
    const found = hits.get(one.approvalId);
    return { ...approvalOf(one), ...(found !== undefined && { hits: found }) };
  });
}

export const listApprovals = route({
  ...byDeciders,
  method: "get",
  path: base,
  summary: "List what waits for a second person, or was decided",
  query: z.object({
    status: z.enum(approvalStatuses).optional(),
    kind: z.enum(approvalKinds).optional(),
    subject: text(200).optional().meta({ description: "The whole subject, such as transaction:ID." }),
    askedBy: text(64).optional().meta({ description: 'Whose question it is: "me", or a user id.' }),
    size: sizeOf(100),
    cursor: text(64).optional(),
  }),
  answer: z.object({ approvals: z.array(ApprovalWithHits), cursor: leaf.nextCursor.optional() }),
  message: "Approvals",
  renames: { pageSize: "query.size" },
  example: { as: "manager@demo.example", query: { status: "PENDING", kind: "REFUND" } },
  run: async ({ query, call, clients }) => {
    const { status = "", kind = "", subject = "", askedBy: asker = "", size, cursor = "" } = query;
    const askedBy = asker === "me" ? (call.user?.userId ?? "") : asker;
    const page = { pageToken: cursor, pageSize: Number(size ?? 100) };
    const request = { status, kind, subject, askedBy, ...page };
    const { approvals, nextPageToken } = await clients.identity.listApprovals(request, outgoing(call));
    return { approvals: await withHits(approvals, call, clients), cursor: absentIfEmpty(nextPageToken) };
  },
});

export const readApproval = route({
  ...byDeciders,
  method: "get",
  path: `${base}/:approvalId`,
  summary: "Read what waits for a second person, or was decided, with what it does",
  params: z.object({ approvalId: text(64) }),
  answer: ApprovalWithEffects,
  message: "Approval",
  example: {
    as: "manager@demo.example",
    params: { approvalId: "0199d0c2-0000-7000-8000-000000000001" },
    answers: 404,
    answer: { id: "0199d0c2-0000-7000-8000-0067ca8ea6f9" },
  },
  run: async ({ params, call, clients }) => {
    const requested = { ...params, withEffects: true };
    const approval = filled((await clients.identity.getApproval(requested, outgoing(call))).approval, "approval");
    const [shown] = await withHits([approval], call, clients);
    return { ...shown!, ...effectsFromWire(approval) };
  },
});

/**
 * Refuses PLUGIN_ROUTE_NEEDED for routes of a partner that leave an open corridor to nobody by now.
 */
async function assertMayBeCarriedOut(approvalId: string, call: EdgeCall, clients: Clients): Promise<void> {
  const { approval } = await clients.identity.getApproval({ approvalId, withEffects: false }, outgoing(call));
  const requested = filled(approval, "approval");
  if (requested.kind === "PARTNER_CHANGE" && requested.status === "PENDING")
    await assertWaitingServed(requested, call, clients);
}

const params = z.object({ approvalId: text(64) });
const example = {
  as: "manager@demo.example",
  params: { approvalId: "0199d0c2-0000-7000-8000-000000000001" },
  answers: 404,
} as const;
const reason = "checked against the bank's statement";

export const approveApproval = route({
  ...byDeciders,
  method: "post",
  path: `${base}/:approvalId/approve`,
  summary: "Approve what somebody else asked for",
  params,
  body: z
    .object({
      reason: reasonIn,
      digest: text(64).meta({
        description:
          "Of the effects that were shown, as the approval was read. Where it does something else by now the answer is 409 APPROVAL_CHANGED: errors tell the effects of now, the first twenty, and figures their digest, which the same person may approve.",
      }),
    })
    .meta({ id: "ApprovalConsent" }),
  answer: Approval,
  message: "Approved",
  example: {
    ...example,
    body: { reason, digest: "0".repeat(64) },
    answer: {
      id: "0199d0c2-0000-7000-8000-00b84a7fca63",
      kind: "REFUND",
      subject: leaf.ids.paymentId,
      summary: "Refund of 22.26 USD",
      amount: "22.26",
    },
  },
  run: async ({ params: { approvalId }, body, call, clients }) => {
    await assertMayBeCarriedOut(approvalId, call, clients);
    const request = { approvalId, ...body, approve: true };
    return approvalOf((await clients.identity.resolveApproval(request, outgoing(call))).approval);
  },
});

export const refuseApproval = operation({
  ...byDeciders,
  method: "post",
  path: `${base}/:approvalId/refuse`,
  summary: "Refuse what somebody else asked for",
  params,
  body: z.object({ reason: reasonIn }).meta({ id: "ApprovalRefusal" }),
  answer: Approval,
  message: "Refused",
  example: {
    ...example,
    body: { reason },
    answer: {
      id: "0199d0c2-0000-7000-8000-00b84a7fca63",
      kind: "REFUND",
      subject: leaf.ids.paymentId,
      summary: "Refund of 22.26 USD",
      amount: "22.26",
    },
  },
  rpc: "identity.resolveApproval",
  adds: () => ({ approve: false, digest: "" }),
});
