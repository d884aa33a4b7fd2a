import { z } from "zod";
import { readerOf } from "../codec.js";
import { FileAnswer } from "../file-answer.js";
import { operation } from "../operation.js";
import { route, keyOf, replaying } from "../route.js";
import { instantIn, maybe, text, wholeNumberIn, shown, cursorQuery, idIn, reasonIn } from "../schema.js";
import {
  Case,
  CaseInQueue,
  caseKinds,
  caseOutcomes,
  casePriorities,
  caseStates,
  caseTags,
  CaseWithTimeline,
} from "../shapes/cases.js";
import { caseFileRoutes, casePath, casesBase } from "./compliance-files.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const casework = { tag: "Compliance", access: ["MANAGER"], headers: { idempotencyKey: "required" } } as const;
const readByManagers = { tag: "Compliance", access: ["MANAGER"], scopes: ["compliance:read"] } as const;

const wholeCaseFromWire = readerOf(CaseWithTimeline);
const maxTransactions = 100;
const maxVersion = 2_147_483_647;

const noteIn = text(4_000).regex(/\S/, "must not be empty");
const versionIn = wholeNumberIn(1, maxVersion).meta({ description: "The version that was read." });
const queues = ["ALL", "OPEN", "MINE", "OVERDUE", "UNASSIGNED", "SNOOZED"] as const;
const orders = ["AGE", "PRIORITY", "DUE"] as const;
const count = z.number().int();

const listCases = operation({
  ...readByManagers,
  method: "get",
  path: casesBase,
  summary: "List a queue of cases",
  query: cursorQuery.extend({
    queue: z.enum(queues).optional().meta({
      description:
        "OPEN when absent, or ALL where a status is named. A snoozed case is not in OPEN, MINE and UNASSIGNED.",
    }),
    kind: z.enum(caseKinds).optional(),
    customerId: idIn.optional(),
    status: z.enum(caseStates).optional(),
    order: z.enum(orders).optional().meta({
      description: "AGE (oldest first, when absent), PRIORITY (most urgent first) or DUE (earliest first).",
    }),
  }),
  answer: z.object({ cases: z.array(CaseInQueue), nextCursor: leaf.nextCursor.optional() }),
  message: "Cases",
  renames: { cursor: "query.cursor", pageSize: "query.size" },
  example: { as: "manager@demo.example", query: { queue: "OPEN", order: "PRIORITY" } },
  rpc: "cases.listCases",
});

const countCases = operation({
  ...readByManagers,
  method: "get",
  path: `${casesBase}/counts`,
  summary: "Count the cases of each queue",
  answer: z
    .object({
      open: shown(count, 12),
      mine: shown(count, 3),
      overdue: count,
      unassigned: shown(count, 4),
      snoozed: shown(count, 2),
    })
    .meta({ id: "ComplianceCaseCounts" }),
  message: "Counts of cases",
  example: { as: "manager@demo.example" },
  rpc: "cases.countCases",
});

const readCase = operation({
  ...readByManagers,
  method: "get",
  path: `${casesBase}/:caseId`,
  summary: "Read a case and up to 500 entries of its timeline",
  params: casePath,
  query: z.object({
    afterSequence: z
      .string()
      .regex(/^\d{1,9}$/, "must be a number")
      .optional()
      .meta({ description: "The timeline from after this entry on; 0 when absent. It ends at the case's version." }),
  }),
  answer: CaseWithTimeline,
  message: "Case",
  example: { as: "manager@demo.example", params: { caseId: "the-case" }, answers: 404 },
  rpc: "cases.getCase",
});

const openCase = operation({
  ...casework,
  method: "post",
  path: casesBase,
  summary: "Open a case about a customer, or add to the one that is open",
  peopleOnly: "casework",
  body: z
    .object({
      customerId: idIn,
      note: noteIn,
      priority: maybe(z.enum(casePriorities)),
      transactionIds: maybe(z.array(idIn).max(maxTransactions)),
    })
    .meta({ id: "OpenCaseRequest" }),
  answer: Case,
  message: "Case opened",
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "case-2026-0042" },
    body: { customerId: "the-customer", note: "Asked twice how to stay below the limit", priority: "LOW" },
    from: { "body.customerId": "login user.customer_id" },
  },
  rpc: "cases.openCase",
});

const changeCase = operation({
  ...casework,
  method: "post",
  path: `${casesBase}/:caseId/change`,
  summary: "Assign, prioritise, tag or snooze a case that is not closed, onto the version that was read",
  peopleOnly: "casework",
  params: casePath,
  body: z
    .object({
      version: versionIn,
      assignee: maybe(text(128, 0)).meta({ description: "User id of a MANAGER; empty takes it away." }),
      priority: maybe(z.enum(casePriorities)).meta({ description: "Sets dueAt anew unless that is named too." }),
      dueAt: maybe(instantIn).meta({ description: "Within 365 days." }),
      snoozedUntil: maybe(instantIn).meta({ description: "Within 180 days." }),
      endSnooze: maybe(z.boolean()).meta({ description: "Not together with snoozedUntil." }),
      tags: maybe(z.array(z.enum(caseTags)).max(caseTags.length)).meta({ description: "Replaces all of them." }),
    })
    .meta({ id: "ChangeCaseRequest" }),
  answer: Case,
  message: "Case changed",
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "case-change-2026-0042" },
    params: { caseId: "the-case" },
    body: { version: 2, priority: "HIGH", tags: ["STRUCTURING"] },
    answers: 404,
  },
  rpc: "cases.changeCase",
  fields: { tags: "tags.tags" },
});

const addCaseNote = operation({
  ...casework,
  method: "post",
  path: `${casesBase}/:caseId/notes`,
  summary: "Add a note to a case, open or closed",
  peopleOnly: "casework",
  params: casePath,
  body: z.object({ text: noteIn }).meta({ id: "AddCaseNoteRequest" }),
  answer: Case,
  message: "Note added",
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "case-note-2026-0042" },
    params: { caseId: "the-case" },
    body: { text: "The employer confirmed the salary by telephone." },
    answers: 404,
  },
  rpc: "cases.addCaseNote",
});

const closeCase = operation({
  ...casework,
  method: "post",
  path: `${casesBase}/:caseId/close`,
  summary: "Close a case of which nothing waits for a decision any more",
  peopleOnly: "judgement",
  params: casePath,
  body: z
    .object({ version: versionIn, outcome: z.enum(caseOutcomes), reason: reasonIn })
    .meta({ id: "CloseCaseRequest" }),
  answer: Case,
  message: "Case closed",
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "case-close-2026-0042" },
    params: { caseId: "the-case" },
    body: { version: 4, outcome: "FALSE_POSITIVE", reason: "Another person: born 1984, not 1961" },
    answers: 404,
  },
  rpc: "cases.closeCase",
});

const reopenCase = operation({
  ...casework,
  method: "post",
  path: `${casesBase}/:caseId/reopen`,
  summary: "Open a closed case again, where no other case about the same subject is open",
  peopleOnly: "judgement",
  params: casePath,
  body: z.object({ version: versionIn, reason: reasonIn }).meta({ id: "ReopenCaseRequest" }),
  answer: Case,
  message: "Case reopened",
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "case-reopen-2026-0042" },
    params: { caseId: "the-case" },
    body: { version: 5, reason: "The bank named two more accounts" },
    answers: 404,
  },
  rpc: "cases.reopenCase",
});

const exportCase = route({
  ...casework,
  method: "post",
  path: `${casesBase}/:caseId/export`,
  summary: "Take a whole case out, as a PDF or as JSON; the timeline keeps who did",
  peopleOnly: "casework",
  params: casePath,
  body: z.object({ form: z.enum(["PDF", "JSON"]) }).meta({ id: "ExportCaseRequest" }),
  files: ["application/pdf"],
  answer: CaseWithTimeline,
  message: "Case",
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "case-export-2026-0042" },
    params: { caseId: "the-case" },
    body: { form: "JSON" },
    answers: 404,
  },
  run: async ({ params, body, headers, call, clients }) => {
    const answer = await clients.cases.exportCase({ ...params, ...body, ...keyOf(headers) }, replaying(call));
    const whole = wholeCaseFromWire(answer.case);
    if (body.form === "JSON") return whole;
    return new FileAnswer(`case-${whole.number}.pdf`, Buffer.from(answer.data), answer.mediaType);
  },
});

// The path of the counts comes before that of one case, which would take it for an id.
export const caseRoutes = {
  listCases,
  countCases,
  readCase,
  openCase,
  changeCase,
  addCaseNote,
  ...caseFileRoutes,
  closeCase,
  reopenCase,
  exportCase,
};
