import { z } from "zod";
import * as wire from "../../proto/gen/wallet/v1/branch_cash.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";
import { shape } from "../codec.js";
import { operation } from "../operation.js";
import { cursorQuery, idIn, instant, maybe, shown, text } from "../schema.js";
import { paymentsBase } from "./wallet-accounts.js";

const base = `${paymentsBase}/branch-assignments`;
export const branchCodeIn = text(64);

const BranchAssignment = shape(
  wire.BranchAssignment,
  z
    .object({
      userId: z.string(),
      branchCode: shown(z.string(), "LAG-1").optional().meta({ description: "Absent for the house." }),
      assignedBy: z.string().meta({ description: "User id." }),
      assignedAt: instant,
    })
    .meta({ id: "BranchAssignment" }),
);

export const putBranchAssignment = operation({
  method: "put",
  path: `${base}/:userId`,
  tag: "Cash",
  summary: "Say at which branch a cashier or agent works: its vault fills their tills; not while one is open",
  access: ["MANAGER"],
  peopleOnly: "drawer",
  params: z.object({ userId: idIn }),
  body: z
    .object({ branchCode: maybe(branchCodeIn).meta({ description: "Absent for the house." }) })
    .meta({ id: "BranchAssignmentRequest" }),
  answer: BranchAssignment,
  message: "Branch assigned",
  example: {
    as: "manager@demo.example",
    params: { userId: "a-cashier" },
    body: {},
    from: { "params.userId": "listStaffUsers data.users.3.userId" },
  },
  rpc: "branchCash.putBranchAssignment",
});

export const listBranchAssignments = operation({
  method: "get",
  path: base,
  tag: "Cash",
  summary: "List who works at the organisation's branches, by user id",
  access: ["MANAGER"],
  scopes: ["reports:read"],
  query: cursorQuery.extend({ branchCode: branchCodeIn.optional() }),
  answer: z.object({ assignments: z.array(BranchAssignment), nextCursor: leaf.nextCursor.optional() }),
  message: "Branch assignments",
  example: { as: "manager@demo.example" },
  rpc: "branchCash.listBranchAssignments",
});
