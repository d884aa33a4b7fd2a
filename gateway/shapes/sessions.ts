import { z } from "zod";
import * as wire from "../../proto/gen/identity/v1/identity.js";
import { readerOf, shape } from "../codec.js";
import { instant } from "../schema.js";
import { absentIfEmpty, enumName, filled } from "../wire.js";
import { roleName } from "./people.js";

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
      role: roleName,
      tenant_id: z.string(),
      customer_id: z.string().optional().meta({ description: "Present for CUSTOMER." }),
      permissions: z.array(z.string()),
    }),
  })
  .meta({ id: "LoginSession" });

/** Its tokens alone. */
export const RefreshedSession = shape(
  wire.Session,
  LoginSession.pick({ access_token: true, expires_in: true, refresh_token: true }).meta({ id: "RefreshedSession" }),
  { access_token: "accessToken", expires_in: "expiresInS", refresh_token: "refreshToken" },
);

export const tokensOf = readerOf(RefreshedSession);

/** One of those that somebody has. */
export const OpenSession = shape(
  wire.OpenSession,
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

/** Throws where the answer has no user. */
export function sessionFromWire(session: wire.Session, tenantId: string): z.output<typeof LoginSession> {
  const { userId: id, email, role, customerId } = filled(session.user, "session.user");
  return {
    ...tokensOf(session),
    user: {
      id,
      email,
      role: enumName(role, "ROLE_") as z.output<typeof roleName>,
      tenant_id: tenantId,
      customer_id: absentIfEmpty(customerId),
      permissions: session.permissions,
    },
  };
}
