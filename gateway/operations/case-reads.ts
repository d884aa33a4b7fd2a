import { z } from "zod";
import { operation } from "../operation.js";
import type { Route } from "../route.js";
import { CaseInQueue, caseKinds, casePath, casesBase, caseStates, CaseWithTimeline } from "./case-shapes.js";
import { cursorQuery, idIn } from "./cursor-pages.js";

const queues = ["ALL", "OPEN", "MINE", "OVERDUE", "UNASSIGNED", "SNOOZED"] as const;
const orders = ["AGE", "PRIORITY", "DUE"] as const;
const count = z.number().int();

/** Ours */
const listCases = operation({
  method: "get",
  path: casesBase,
  operationId: "listCases",
  tag: "Compliance",
  summary: "List a queue of cases",
  access: ["MANAGER"],
  scopes: ["compliance:read"],
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
  answer: z.object({ cases: z.array(CaseInQueue), nextCursor: z.string().optional() }),
  message: "Cases",
  renames: { cursor: "query.cursor", pageSize: "query.size" },
  example: { as: "manager@demo.example", query: { queue: "OPEN", order: "PRIORITY" } },
  rpc: "cases.listCases",
});

/** Ours */
const countCases = operation({
  method: "get",
  path: `${casesBase}/counts`,
  operationId: "countCases",
  tag: "Compliance",
  summary: "Count the cases of each queue",
  access: ["MANAGER"],
  scopes: ["compliance:read"],
  answer: z
    .object({ open: count, mine: count, overdue: count, unassigned: count, snoozed: count })
    .meta({ id: "ComplianceCaseCounts" }),
  message: "Counts of cases",
  example: { as: "manager@demo.example" },
  rpc: "cases.countCases",
});

/** Ours */
const readCase = operation({
  method: "get",
  path: `${casesBase}/:caseId`,
  operationId: "readCase",
  tag: "Compliance",
  summary: "Read a case and up to 500 entries of its timeline",
  access: ["MANAGER"],
  scopes: ["compliance:read"],
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
  gives: "case",
});

// The path of the counts comes before that of one case, which would take it for an id.
export const caseReadRoutes: readonly Route[] = [listCases, countCases, readCase];
