import { z } from "zod";
import { FileAnswer } from "../file-answer.js";
import { readerOf } from "../codec.js";
import { operation } from "../operation.js";
import { route, type Route } from "../route.js";
import { instantIn, maybe, text, wholeNumberIn } from "../schema.js";
import { caseFileRoutes } from "./case-files.js";
import { caseReadRoutes } from "./case-reads.js";
import {
  Case,
  caseKeys,
  caseOutcomes,
  casePath,
  casePriorities,
  casesBase,
  caseTags,
  CaseWithTimeline,
} from "./case-shapes.js";
import { idIn, reasonIn } from "./cursor-pages.js";
import { keyOf, replaying } from "./keyed-call.js";

const wholeCaseFromWire = readerOf(CaseWithTimeline);
const maxTransactions = 100;
const maxVersion = 2_147_483_647;

const noteIn = text(4_000).regex(/\S/, "must not be empty");
const versionIn = wholeNumberIn(1, maxVersion).meta({ description: "The version that was read." });

/** Ours */
const openCase = operation({
  method: "post",
  path: casesBase,
  operationId: "openCase",
  tag: "Compliance",
  summary: "Open a case about a customer, or add to the one that is open",
  access: ["MANAGER"],
  peopleOnly: "casework",
  headers: { idempotencyKey: "required" },
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
  renames: caseKeys,
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "case-2026-0042" },
    body: { customerId: "the-customer", note: "Asked twice how to stay below the limit", priority: "LOW" },
    from: { "body.customerId": "login user.customer_id" },
  },
  rpc: "cases.openCase",
  gives: "case",
});

/** Ours */
const changeCase = operation({
  method: "post",
  path: `${casesBase}/:caseId/change`,
  operationId: "changeCase",
  tag: "Compliance",
  summary: "Assign, prioritise, tag or snooze a case that is not closed, onto the version that was read",
  access: ["MANAGER"],
  peopleOnly: "casework",
  headers: { idempotencyKey: "required" },
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
  renames: caseKeys,
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "case-change-2026-0042" },
    params: { caseId: "the-case" },
    body: { version: 2, priority: "HIGH", tags: ["STRUCTURING"] },
    answers: 404,
  },
  rpc: "cases.changeCase",
  fields: { tags: "tags.tags" },
  gives: "case",
});

/** Ours */
const addCaseNote = operation({
  method: "post",
  path: `${casesBase}/:caseId/notes`,
  operationId: "addCaseNote",
  tag: "Compliance",
  summary: "Add a note to a case, open or closed",
  access: ["MANAGER"],
  peopleOnly: "casework",
  headers: { idempotencyKey: "required" },
  params: casePath,
  body: z.object({ text: noteIn }).meta({ id: "AddCaseNoteRequest" }),
  answer: Case,
  message: "Note added",
  renames: caseKeys,
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "case-note-2026-0042" },
    params: { caseId: "the-case" },
    body: { text: "The employer confirmed the salary by telephone." },
    answers: 404,
  },
  rpc: "cases.addCaseNote",
  gives: "case",
});

/** Ours */
const closeCase = operation({
  method: "post",
  path: `${casesBase}/:caseId/close`,
  operationId: "closeCase",
  tag: "Compliance",
  summary: "Close a case of which nothing waits for a decision any more",
  access: ["MANAGER"],
  peopleOnly: "judgement",
  headers: { idempotencyKey: "required" },
  params: casePath,
  body: z
    .object({ version: versionIn, outcome: z.enum(caseOutcomes), reason: reasonIn })
    .meta({ id: "CloseCaseRequest" }),
  answer: Case,
  message: "Case closed",
  renames: caseKeys,
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "case-close-2026-0042" },
    params: { caseId: "the-case" },
    body: { version: 4, outcome: "FALSE_POSITIVE", reason: "Another person: born 1984, not 1961" },
    answers: 404,
  },
  rpc: "cases.closeCase",
  gives: "case",
});

/** Ours */
const reopenCase = operation({
  method: "post",
  path: `${casesBase}/:caseId/reopen`,
  operationId: "reopenCase",
  tag: "Compliance",
  summary: "Open a closed case again, where no other case about the same subject is open",
  access: ["MANAGER"],
  peopleOnly: "judgement",
  headers: { idempotencyKey: "required" },
  params: casePath,
  body: z.object({ version: versionIn, reason: reasonIn }).meta({ id: "ReopenCaseRequest" }),
  answer: Case,
  message: "Case reopened",
  renames: caseKeys,
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "case-reopen-2026-0042" },
    params: { caseId: "the-case" },
    body: { version: 5, reason: "The bank named two more accounts" },
    answers: 404,
  },
  rpc: "cases.reopenCase",
  gives: "case",
});

/** Ours */
const exportCase = route({
  method: "post",
  path: `${casesBase}/:caseId/export`,
  operationId: "exportCase",
  tag: "Compliance",
  summary: "Take a whole case out, as a PDF or as JSON; the timeline keeps who did",
  access: ["MANAGER"],
  peopleOnly: "casework",
  headers: { idempotencyKey: "required" },
  params: casePath,
  body: z.object({ form: z.enum(["PDF", "JSON"]) }).meta({ id: "ExportCaseRequest" }),
  files: ["application/pdf"],
  answer: CaseWithTimeline,
  message: "Case",
  renames: caseKeys,
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

export const caseRoutes: readonly Route[] = [
  ...caseReadRoutes,
  openCase,
  changeCase,
  addCaseNote,
  ...caseFileRoutes,
  closeCase,
  reopenCase,
  exportCase,
];
