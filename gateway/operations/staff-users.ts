import { z } from "zod";
import { operation } from "../operation.js";
import { text, reasonIn } from "../schema.js";
import { staffRoles, v6 } from "../route.js";
import { UserAccount } from "../shapes/people.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const base = `${v6}/usermanagement`;

export const createStaffUser = operation({
  method: "post",
  path: `${base}/create-staff-user`,
  tag: "People",
  summary: "Create an AGENT or a CASHIER",
  access: ["MANAGER"],
  peopleOnly: "staff",
  headers: { idempotencyKey: "required" },
  body: z
    .object({ email: text(320), password: text(1024), name: text(200), role: z.enum(["MANAGER", "AGENT", "CASHIER"]) })
    .meta({ id: "StaffUser" }),
  answer: UserAccount,
  message: "User created",
  example: {
    as: "manager@demo.example",
    sandbox: true,
    headers: { "x-idempotency-key": "second-cashier" },
    body: { email: "second.cashier@demo.example", password: "Demo-Second-1", name: "Second Cashier", role: "CASHIER" },
  },
  rpc: "identity.createStaffUser",
});

export const listStaffUsers = operation({
  method: "get",
  path: `${base}/staff-users`,
  tag: "People",
  summary: "List the staff of the organisation",
  access: ["MANAGER"],
  scopes: ["users:read"],
  query: z.object({ cursor: text(64).optional() }),
  answer: z.object({ users: z.array(UserAccount), cursor: leaf.nextCursor.optional() }),
  message: "Staff",
  example: { as: "manager@demo.example" },
  rpc: "identity.listStaffUsers",
  fields: { cursor: "pageToken" },
  adds: () => ({ pageSize: 100 }),
  answerFields: { cursor: "nextPageToken" },
});

const reasoned = z.object({ reason: reasonIn }).meta({ id: "Reason" });

export const disableUser = operation({
  method: "post",
  path: `${base}/users/:userId/disable`,
  tag: "People",
  summary: "End all that a user has and let nobody in as them",
  access: staffRoles,
  scopes: ["users:write"],
  inPerson: ["AGENT", "CASHIER"],
  params: z.object({ userId: text(64) }),
  body: reasoned,
  answer: UserAccount,
  message: "User disabled",
  example: {
    as: "manager@demo.example",
    sandbox: true,
    params: { userId: "0199d0c2-0000-7000-8000-000000000001" },
    body: { reason: "left the company" },
    from: { "params.userId": "createStaffUser data.userId" },
  },
  rpc: "identity.disableUser",
});

export const enableUser = operation({
  method: "post",
  path: `${base}/users/:userId/enable`,
  tag: "People",
  summary: "Let a user in again",
  access: staffRoles,
  scopes: ["users:write"],
  inPerson: ["AGENT", "CASHIER"],
  params: z.object({ userId: text(64) }),
  body: reasoned,
  answer: UserAccount,
  message: "User enabled",
  example: {
    as: "manager@demo.example",
    sandbox: true,
    params: { userId: "0199d0c2-0000-7000-8000-000000000001" },
    body: { reason: "came back" },
    from: { "params.userId": "createStaffUser data.userId" },
  },
  rpc: "identity.enableUser",
});
