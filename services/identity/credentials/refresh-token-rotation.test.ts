import { decodeJwt } from "jose";
import { inTenant, newTenant, startTestIdentity, type TestIdentity } from "../../../test/support/identity.js";

let identity: TestIdentity;
beforeAll(async () => {
  identity = await startTestIdentity({ replicas: 2 });
});
afterAll(() => identity.stop());

/** A customer who has logged in. */
async function signedIn() {
  const tenant = await newTenant(identity);
  await tenant.customer("amina");
  const session = await tenant.login("amina");
  const sessionId = decodeJwt(session.accessToken)["sid"] as string;
  const refresh = async (refreshToken: string, accessToken = "", gateway = identity.rpc.gateway) =>
    (await gateway.refresh({ refreshToken, accessToken }, inTenant(tenant.tenantId))).session!;
  const family = () => identity.db.collection("sessions").findOne({ _id: sessionId as never });
  return { tenant, session, sessionId, refresh, family };
}

const dayMs = 24 * 3_600_000;

test("each refresh token is exchanged for its successor, and the access token is new", async () => {
  const { session, refresh, family, sessionId } = await signedIn();
  identity.passMs(1_000);
  const second = await refresh(session.refreshToken);
  const third = await refresh(second.refreshToken);
  const tokens = [session, second, third].flatMap(({ accessToken, refreshToken }) => [accessToken, refreshToken]);
  expect(new Set(tokens).size).toBe(6);
  expect(decodeJwt(third.accessToken)).toMatchObject({ sid: sessionId, sub: session.user!.userId });
  expect(third).toMatchObject({ expiresInS: 3_600, user: session.user, permissions: session.permissions });
  expect(await family()).toMatchObject({ counter: 3 });
});

test("nothing that could be presented is stored", async () => {
  const { session, refresh, family } = await signedIn();
  const next = await refresh(session.refreshToken);
  const stored = JSON.stringify(await family());
  for (const { refreshToken, accessToken } of [session, next]) {
    const mac = Buffer.from(refreshToken, "base64url").subarray(-32);
    for (const text of [refreshToken, accessToken, mac.toString("base64"), mac.toString("hex")]) {
      expect(stored).not.toContain(text);
    }
  }
});

test("of 20 refreshes at once over two replicas one moves on, and all get its answer", async () => {
  const { session, refresh, family } = await signedIn();
  const second = identity.clientOf("gateway", 1);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) => refresh(session.refreshToken, "", at % 2 ? second : identity.rpc.gateway)),
  );
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  expect(await family()).toMatchObject({ counter: 2 });
});

test("the newest used link gets the same answer again for 10 s, on any replica", async () => {
  const { session, refresh } = await signedIn();
  const first = await refresh(session.refreshToken);
  identity.passMs(6_000);
  await expect(refresh(session.refreshToken, "", identity.clientOf("gateway", 1))).resolves.toEqual(first);
});

test("after 10 s it ends the family", async () => {
  const { session, refresh, family } = await signedIn();
  const next = await refresh(session.refreshToken);
  identity.passMs(10_001);
  await expect(refresh(session.refreshToken)).rejects.toMatchObject({ code: "REFRESH_REUSED" });
  await expect(refresh(next.refreshToken)).rejects.toMatchObject({ code: "TOKEN_REVOKED" });
  await expect(refresh(session.refreshToken)).rejects.toMatchObject({ code: "REFRESH_REUSED" });
  expect(await family()).toMatchObject({ revokedBecause: "refresh token reused" });
});

test("once its successor was used it ends the family, even within 10 s, and every service hears of it", async () => {
  const { tenant, session, sessionId, refresh } = await signedIn();
  const second = await refresh(session.refreshToken);
  const third = await refresh(second.refreshToken);
  const { sub, iat } = decodeJwt(third.accessToken);
  const subject = { sessionId, userId: sub!, issuedAt: new Date(iat! * 1_000) };
  const check = () => identity.rpc.wallet.checkRevocation(subject, inTenant(""));
  await expect(check()).resolves.toEqual({ revoked: false });

  await expect(refresh(session.refreshToken)).rejects.toMatchObject({ code: "REFRESH_REUSED" });

  await expect(check()).resolves.toEqual({ revoked: true });
  expect(await identity.redis.get(`revocations:session:${sessionId}`)).not.toBeNull();
  for (const { accessToken } of [session, second, third]) {
    const call = identity.clientOf("gateway", 1).getOrganisationPreference({}, inTenant(tenant.tenantId, accessToken));
    await expect(call).rejects.toMatchObject({ code: "TOKEN_REVOKED" });
  }
  await expect(refresh(third.refreshToken)).rejects.toMatchObject({ code: "TOKEN_REVOKED" });
});

test("a family that ends leaves the person's other sessions alone", async () => {
  const { tenant, session, refresh } = await signedIn();
  const other = await tenant.login("amina");
  await refresh((await refresh(session.refreshToken)).refreshToken);
  await expect(refresh(session.refreshToken)).rejects.toMatchObject({ code: "REFRESH_REUSED" });
  await expect(refresh(other.refreshToken)).resolves.toBeDefined();
});

test("an expired access token may come along, a live one as well", async () => {
  const { session, refresh } = await signedIn();
  identity.passMs(2 * 3_600_000);
  const next = await refresh(session.refreshToken, session.accessToken);
  await expect(refresh(next.refreshToken, next.accessToken)).resolves.toBeDefined();
});

test("an access token of another session, another tenant or nobody is refused, and the refresh token stays good", async () => {
  const { tenant, session, refresh } = await signedIn();
  const other = await tenant.login("amina");
  const elsewhere = await signedIn();
  await expect(refresh(session.refreshToken, other.accessToken)).rejects.toMatchObject({ code: "TOKEN_CONFLICT" });
  await expect(refresh(session.refreshToken, elsewhere.session.accessToken)).rejects.toMatchObject({
    code: "UNAUTHENTICATED",
  });
  await expect(refresh(session.refreshToken, "e.y.J")).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  await expect(refresh(session.refreshToken, session.accessToken)).resolves.toBeDefined();
});

test("a refresh token is worth nothing in another tenant, and trying ends nothing", async () => {
  const { session, refresh } = await signedIn();
  const elsewhere = await newTenant(identity);
  const call = identity.rpc.gateway.refresh({ refreshToken: session.refreshToken }, inTenant(elsewhere.tenantId));
  await expect(call).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  await expect(refresh(session.refreshToken)).resolves.toBeDefined();
});

test.each(["x", "..", "A".repeat(76), "x".repeat(100_000)])(
  "what is no refresh token is refused (%#)",
  async (text) => {
    const { refresh } = await signedIn();
    await expect(refresh(text)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  },
);

test("an empty refresh token is bad input", async () => {
  const { refresh } = await signedIn();
  await expect(refresh("")).rejects.toMatchObject({
    code: "INVALID_INPUT",
    details: { errors: [{ path: "refreshToken" }] },
  });
});

test("a session idle for 30 days has expired", async () => {
  const { session, refresh } = await signedIn();
  identity.passMs(30 * dayMs);
  await expect(refresh(session.refreshToken)).rejects.toMatchObject({ code: "TOKEN_EXPIRED" });
});

test("a session that is used every 20 days ends after 90", async () => {
  const { session, refresh } = await signedIn();
  let { refreshToken } = session;
  for (let turn = 1; turn <= 4; turn++) {
    identity.passMs(20 * dayMs);
    ({ refreshToken } = await refresh(refreshToken));
  }
  identity.passMs(10 * dayMs);
  await expect(refresh(refreshToken)).rejects.toMatchObject({ code: "TOKEN_EXPIRED" });
});

test("a link that the store never handed out, as after a restore from backup, is refused and ends nothing", async () => {
  const { session, refresh, sessionId } = await signedIn();
  const second = await refresh(session.refreshToken);
  await identity.db.collection("sessions").updateOne({ _id: sessionId as never }, { $set: { counter: 1 } });
  await expect(refresh(second.refreshToken)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  await expect(refresh(session.refreshToken)).resolves.toEqual(
    expect.objectContaining({ refreshToken: second.refreshToken }),
  );
});

test("a session that is gone, or whose user is, is refused", async () => {
  const { session, refresh, sessionId } = await signedIn();
  const { session: other, refresh: refreshOther } = await signedIn();
  await identity.db.collection("sessions").deleteOne({ _id: sessionId as never });
  await expect(refresh(session.refreshToken)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  await identity.db.collection("users").deleteOne({ _id: other.user!.userId as never });
  await expect(refreshOther(other.refreshToken)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
});
