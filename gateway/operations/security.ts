import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { operation } from "../operation.js";
import { route, everyRole, v6 } from "../route.js";
import { maybe, text } from "../schema.js";
import { LoginSession, OpenSession, RefreshedSession, sessionFromWire, tokensOf } from "../shapes/people.js";
import { filled } from "../codec.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const base = `${v6}/securitymanagement`;

/** §4.1 */
export const login = route({
  method: "put",
  path: `${base}/login`,
  contract: true,
  tag: "Security",
  summary: "Log in with e-mail and password",
  access: "anyone",
  sdk: { answer: "session", isUsedUp: true },
  body: z
    .object({
      email: text(320).regex(/\S/, "is required"),
      currentPassword: text(1024),
      otp: maybe(text(16, 0)).meta({ description: "An authenticator's code, where staff log in with one." }),
    })
    .meta({ id: "LoginRequest" }),
  answer: LoginSession,
  bare: true,
  message: "Logged in",
  example: {
    body: { email: "amina@demo.example", currentPassword: "Demo-Amina-1" },
    answer: {
      user: {
        permissions: [
          "profile:read",
          "profile:update",
          "transactions:create",
          "transactions:read:own",
          "beneficiaries:manage",
          "quotes:request",
        ],
      },
    },
  },
  run: async ({ body, call, clients }) => {
    const request = { ...body, otp: body.otp ?? "", ipAddress: call.clientIp };
    const { session } = await clients.identity.login(request, outgoing(call));
    return sessionFromWire(filled(session, "session"), call.tenantId);
  },
});

/** §4.1: the access token may come along and may have expired. */
export const refresh = route({
  method: "post",
  path: `${base}/refresh`,
  aliases: [`${base}/refresh-token`],
  contract: true,
  tag: "Security",
  summary: "Exchange a refresh token, once, for new tokens",
  access: "expired-token",
  body: z.object({ refresh_token: text(4096) }).meta({ id: "RefreshRequest" }),
  answer: RefreshedSession,
  bare: true,
  message: "Refreshed",
  example: {
    body: { refresh_token: leaf.ids.refreshToken },
    answer: { refresh_token: "AVWZGYOo-Djiu2dJUovocaAu8rKxAAAAAtPQkJhTDOIHCnytAoe7I2KNgj47F1zb" },
    from: { "body.refresh_token": "login refresh_token" },
  },
  renames: { refreshToken: "refresh_token" },
  run: async ({ body, call, clients }) => {
    const { userToken = "", ...anonymous } = call;
    const request = { refreshToken: body.refresh_token, accessToken: userToken };
    const { session } = await clients.identity.refresh(request, outgoing(anonymous));
    return tokensOf(session);
  },
});

/** §4.1 */
export const logout = operation({
  method: "post",
  path: `${base}/logout`,
  contract: true,
  tag: "Security",
  summary: "End the session and revoke its tokens",
  access: everyRole,
  peopleOnly: "session",
  body: z.object({}),
  bodyOptional: true,
  answer: z.object({}),
  message: "Logged out",
  example: { as: "agent@demo.example", body: {} },
  rpc: "identity.logout",
});

const endApiTokens = maybe(z.boolean()).meta({ description: "Whether one's API tokens end too; true when absent." });

const endsTokens = {
  endApiTokens: {
    from: ({ keepApiTokens }: { keepApiTokens: boolean }) => !keepApiTokens,
    to: (ends: boolean) => ({ keepApiTokens: !ends }),
  },
};

export const changePassword = operation({
  method: "put",
  path: `${base}/change-password`,
  tag: "Security",
  summary: "Set a new password and end one's other sessions and API tokens",
  access: everyRole,
  peopleOnly: "credentials",
  sdk: { isUsedUp: true },
  body: z.object({ currentPassword: text(1024), newPassword: text(1024), endApiTokens }).meta({ id: "PasswordChange" }),
  answer: z.object({}),
  message: "Password changed",
  example: {
    as: "amina@demo.example",
    sandbox: true,
    body: { currentPassword: "Demo-Amina-1", newPassword: "Demo-Amina-1" },
  },
  rpc: "identity.changePassword",
  fields: endsTokens,
});

export const requestPasswordReset = operation({
  method: "post",
  path: `${base}/request-password-reset`,
  tag: "Security",
  summary: "Be sent a token to set a new password with; the answer is the same for an address that nobody has",
  access: "anyone",
  body: z.object({ email: text(320) }).meta({ id: "PasswordResetRequest" }),
  answer: z.object({}),
  message: "If there is such an account, a message is on its way",
  example: { sandbox: true, body: { email: "amina@demo.example" } },
  rpc: "identity.requestPasswordReset",
  adds: ({ clientIp }) => ({ ipAddress: clientIp }),
});

export const resetPassword = operation({
  method: "post",
  path: `${base}/reset-password`,
  tag: "Security",
  summary: "Set a new password with the token that was sent, and end all sessions and API tokens",
  access: "anyone",
  body: z.object({ token: text(256), newPassword: text(1024), endApiTokens }).meta({ id: "PasswordReset" }),
  answer: z.object({}),
  message: "Password set",
  example: {
    sandbox: true,
    body: { token: "the token of the message", newPassword: "Demo-Amina-1" },
    answers: 401,
  },
  rpc: "identity.resetPassword",
  fields: endsTokens,
});

export const listSessions = operation({
  method: "get",
  path: `${base}/sessions`,
  tag: "Security",
  summary: "List one's own open sessions",
  access: everyRole,
  peopleOnly: "session",
  answer: z.array(OpenSession),
  message: "Sessions",
  example: { as: "amina@demo.example", sandbox: true },
  rpc: "identity.listSessions",
});

export const endSession = operation({
  method: "post",
  path: `${base}/sessions/:sessionId/end`,
  tag: "Security",
  summary: "End one of one's own sessions",
  access: everyRole,
  peopleOnly: "session",
  params: z.object({ sessionId: text(64) }),
  body: z.object({}),
  bodyOptional: true,
  answer: z.object({}),
  message: "Session ended",
  example: {
    as: "amina@demo.example",
    sandbox: true,
    params: { sessionId: "0199d0c2-0000-7000-8000-000000000001" },
    from: { "params.sessionId": "listSessions data.0.sessionId" },
  },
  rpc: "identity.endSession",
});
