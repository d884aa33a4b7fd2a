import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { route } from "../route.js";
import { text } from "../schema.js";
import { absentIfEmpty } from "../wire.js";
import { staffRoles, v6 } from "./base.js";
import { UserAccount, userFromWire } from "./people-wire.js";
import { reasonIn } from "./cursor-pages.js";

const base = `${v6}/usermanagement`;

export const createStaffUser = route({
  method: "post",
  path: `${base}/create-staff-user`,
  operationId: "createStaffUser",
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
  run: async ({ body, headers, call, clients }) => {
    const request = {
      ...body,
      role: `ROLE_${body.role}` as const,
      idempotencyKey: headers["x-idempotency-key"] ?? "",
    };
    const options = outgoing(call, { onReplayed: call.markReplayed });
    return userFromWire((await clients.identity.createStaffUser(request, options)).user);
  },
});

export const listStaffUsers = route({
  method: "get",
  path: `${base}/staff-users`,
  operationId: "listStaffUsers",
  tag: "People",
  summary: "List the staff of the organisation",
  access: ["MANAGER"],
  scopes: ["users:read"],
  query: z.object({ cursor: text(64).optional() }),
  answer: z.object({ users: z.array(UserAccount), cursor: z.string().optional() }),
  message: "Staff",
  example: { as: "manager@demo.example" },
  run: async ({ query, call, clients }) => {
    const request = { pageToken: query.cursor ?? "", pageSize: 100 };
    const { users, nextPageToken } = await clients.identity.listStaffUsers(request, outgoing(call));
    return { users: users.map(userFromWire), cursor: absentIfEmpty(nextPageToken) };
  },
});

const reasoned = z.object({ reason: reasonIn }).meta({ id: "Reason" });

export const disableUser = route({
  method: "post",
  path: `${base}/users/:userId/disable`,
  operationId: "disableUser",
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
  run: async ({ params, body, call, clients }) =>
    userFromWire((await clients.identity.disableUser({ ...params, ...body }, outgoing(call))).user),
});

export const enableUser = route({
  method: "post",
  path: `${base}/users/:userId/enable`,
  operationId: "enableUser",
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
  run: async ({ params, body, call, clients }) =>
    userFromWire((await clients.identity.enableUser({ ...params, ...body }, outgoing(call))).user),
});
