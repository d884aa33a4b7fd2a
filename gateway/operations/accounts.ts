import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { OpenSession as WireSession } from "../../proto/gen/identity/v1/identity.js";
import { shape } from "../codec.js";
import { operation } from "../operation.js";
import { route } from "../route.js";
import { instant, maybe, text } from "../schema.js";
import { answerNothing, everyRole, v6 } from "./base.js";

const base = `${v6}/securitymanagement`;
const nothing = z.object({});

const OpenSession = shape(
  WireSession,
  z
    .object({
      sessionId: z.string(),
      createdAt: instant,
      lastUsedAt: instant,
      expiresAt: instant,
      ipAddress: z.string().optional(),
      current: z.boolean(),
    })
    .meta({ id: "OpenSession" }),
);

const endApiTokens = maybe(z.boolean()).meta({ description: "Whether one's API tokens end too; true when absent." });

export const changePassword = route({
  method: "put",
  path: `${base}/change-password`,
  operationId: "changePassword",
  tag: "Security",
  summary: "Set a new password and end one's other sessions and API tokens",
  access: everyRole,
  peopleOnly: "credentials",
  sdk: { isUsedUp: true },
  body: z.object({ currentPassword: text(1024), newPassword: text(1024), endApiTokens }).meta({ id: "PasswordChange" }),
  answer: nothing,
  message: "Password changed",
  example: {
    as: "amina@demo.example",
    sandbox: true,
    body: { currentPassword: "Demo-Amina-1", newPassword: "Demo-Amina-1" },
  },
  run: ({ body: { endApiTokens: ends = true, ...passwords }, call, clients }) =>
    answerNothing(clients.identity.changePassword({ ...passwords, keepApiTokens: !ends }, outgoing(call))),
});

export const requestPasswordReset = operation({
  method: "post",
  path: `${base}/request-password-reset`,
  operationId: "requestPasswordReset",
  tag: "Security",
  summary: "Be sent a token to set a new password with; the answer is the same for an address that nobody has",
  access: "anyone",
  body: z.object({ email: text(320) }).meta({ id: "PasswordResetRequest" }),
  answer: nothing,
  message: "If there is such an account, a message is on its way",
  example: { sandbox: true, body: { email: "amina@demo.example" } },
  rpc: "identity.requestPasswordReset",
  adds: ({ clientIp }) => ({ ipAddress: clientIp }),
});

export const resetPassword = route({
  method: "post",
  path: `${base}/reset-password`,
  operationId: "resetPassword",
  tag: "Security",
  summary: "Set a new password with the token that was sent, and end all sessions and API tokens",
  access: "anyone",
  body: z.object({ token: text(256), newPassword: text(1024), endApiTokens }).meta({ id: "PasswordReset" }),
  answer: nothing,
  message: "Password set",
  example: {
    sandbox: true,
    body: { token: "the token of the message", newPassword: "Demo-Amina-1" },
    answers: 401,
  },
  run: ({ body: { endApiTokens: ends = true, ...reset }, call, clients }) =>
    answerNothing(clients.identity.resetPassword({ ...reset, keepApiTokens: !ends }, outgoing(call))),
});

export const listSessions = operation({
  method: "get",
  path: `${base}/sessions`,
  operationId: "listSessions",
  tag: "Security",
  summary: "List one's own open sessions",
  access: everyRole,
  peopleOnly: "session",
  answer: z.array(OpenSession),
  message: "Sessions",
  example: { as: "amina@demo.example", sandbox: true },
  rpc: "identity.listSessions",
  gives: "sessions",
});

export const endSession = operation({
  method: "post",
  path: `${base}/sessions/:sessionId/end`,
  operationId: "endSession",
  tag: "Security",
  summary: "End one of one's own sessions",
  access: everyRole,
  peopleOnly: "session",
  params: z.object({ sessionId: text(64) }),
  body: nothing,
  bodyOptional: true,
  answer: nothing,
  message: "Session ended",
  example: {
    as: "amina@demo.example",
    sandbox: true,
    params: { sessionId: "0199d0c2-0000-7000-8000-000000000001" },
    from: { "params.sessionId": "listSessions data.0.sessionId" },
  },
  rpc: "identity.endSession",
});
