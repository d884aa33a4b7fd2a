import { z } from "zod";
import * as wire from "../../proto/gen/identity/v1/identity.js";
import { readerOf, shape } from "../codec.js";
import { instant, shown } from "../schema.js";
import { absentIfEmpty, enumName, filled } from "../wire.js";
import { roleName } from "./people.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

export const LoginSession = z
  .object({
    access_token: shown(
      z.string(),
      "eyJhbGciOiJFZERTQSIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIwMTk5ZDBjMi0wMDAwLTcwMDAtODAwMC0wMDAwMDAwMDAwMDUiLCJyb2xlIjoiQ1VTVE9NRVIifQ.c2lnbmF0dXJl",
    ),
    expires_in: z
      .number()
      .int()
      .meta({ description: "Seconds.", examples: [3600] }),
    refresh_token: shown(z.string(), "AVWZGYOo-Djiu2dJUovocaAu8rKxAAAAAYIYA8eLRIreQc8c00wUbPskuQPaeJX2"),
    user: z.object({
      id: leaf.userId,
      email: leaf.email,
      role: shown(roleName, "CUSTOMER"),
      tenant_id: shown(z.string(), "demo"),
      customer_id: leaf.customerId.optional().meta({ description: "Present for CUSTOMER." }),
      permissions: z.array(shown(z.string(), "profile:read")),
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
      ipAddress: shown(z.string(), "203.0.113.7").optional(),
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
