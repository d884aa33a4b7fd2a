import { z } from "zod";
import type { Session, User } from "../../proto/gen/identity/v1/identity.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { operation } from "../operation.js";
import { route } from "../route.js";
import { maybe, text } from "../schema.js";
import { absentIfEmpty, enumName, filled } from "../wire.js";
import { everyRole, v6 } from "./base.js";
import { exampleRefreshToken } from "../example-ids.js";
import { refreshedAnswer, sessionAnswer } from "./contract-answers.js";

const securityBase = `${v6}/securitymanagement`;

export const LoginSession = z
  .object({
    access_token: z.string(),
    expires_in: z
      .number()
      .int()
      .meta({ description: "Seconds.", examples: [3600] }),
    refresh_token: z.string(),
    user: z.object({
      id: z.string(),
      email: z.string(),
      role: z.enum(["MANAGER", "AGENT", "CASHIER", "CUSTOMER"]),
      tenant_id: z.string(),
      customer_id: z.string().optional().meta({ description: "Present for CUSTOMER." }),
      permissions: z.array(z.string()),
    }),
  })
  .meta({ id: "LoginSession" });

const RefreshedSession = LoginSession.pick({ access_token: true, expires_in: true, refresh_token: true }).meta({
  id: "RefreshedSession",
});

/** §4.1 */
export const login = route({
  method: "put",
  path: `${securityBase}/login`,
  operationId: "login",
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
    answer: sessionAnswer,
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
  path: `${securityBase}/refresh`,
  aliases: [`${securityBase}/refresh-token`],
  operationId: "refresh",
  contract: true,
  tag: "Security",
  summary: "Exchange a refresh token, once, for new tokens",
  access: "expired-token",
  body: z.object({ refresh_token: text(4096) }).meta({ id: "RefreshRequest" }),
  answer: RefreshedSession,
  bare: true,
  message: "Refreshed",
  example: {
    body: { refresh_token: exampleRefreshToken },
    answer: refreshedAnswer,
    from: { "body.refresh_token": "login refresh_token" },
  },
  renames: { refreshToken: "refresh_token" },
  run: async ({ body, call, clients }) => {
    const { userToken = "", ...anonymous } = call;
    const request = { refreshToken: body.refresh_token, accessToken: userToken };
    const { session } = await clients.identity.refresh(request, outgoing(anonymous));
    const { accessToken, expiresInS, refreshToken } = filled(session, "session");
    return { access_token: accessToken, expires_in: expiresInS, refresh_token: refreshToken };
  },
});

/** §4.1 */
export const logout = operation({
  method: "post",
  path: `${securityBase}/logout`,
  operationId: "logout",
  contract: true,
  tag: "Security",
  summary: "End the session and revoke its tokens",
  access: everyRole,
  peopleOnly: "session",
  body: z.object({}),
  bodyOptional: true,
  answer: z.object({}),
  message: "Logged out",
  example: { as: "agent@demo.example", body: {}, answer: {} },
  rpc: "identity.logout",
});

/** Throws where the answer has no user. */
export function sessionFromWire(session: Session, tenantId: string): z.output<typeof LoginSession> {
  const user: User = filled(session.user, "session.user");
  return {
    access_token: session.accessToken,
    expires_in: session.expiresInS,
    refresh_token: session.refreshToken,
    user: {
      id: user.userId,
      email: user.email,
      role: enumName(user.role, "ROLE_") as "MANAGER" | "AGENT" | "CASHIER" | "CUSTOMER",
      tenant_id: tenantId,
      customer_id: absentIfEmpty(user.customerId),
      permissions: session.permissions,
    },
  };
}
