import { randomUUID } from "node:crypto";
import { tenantDraft } from "../../../test/support/identity-drafts.js";
import {
  aboveTenants,
  inTenant,
  newTenant,
  startTestIdentity,
  type TestIdentity,
} from "../../../test/support/identity.js";

let identity: TestIdentity;
beforeAll(async () => {
  identity = await startTestIdentity({ redisDatabase: 9 });
});
afterAll(() => identity.stop());

const fresh = () => tenantDraft(`t-${randomUUID()}`);
const put = (tenant: ReturnType<typeof fresh>) => identity.rpc.operator.putTenant({ tenant }, aboveTenants());
const resolve = (host: string) => identity.rpc.gateway.resolveHost({ host }, aboveTenants());

describe("PutTenant", () => {
  test("makes a tenant, and answers it as it is kept", async () => {
    const draft = fresh();
    const { tenant } = await put(draft);
    expect(tenant).toMatchObject({ ...draft, preference: { ...draft.preference, countries: ["USA", "NGA"] } });
    expect(tenant!.createdAt).toEqual(tenant!.updatedAt);
  });

  test("replaces name, hosts and preference and keeps the day it was made", async () => {
    const draft = fresh();
    const { tenant: first } = await put(draft);
    const changed = { ...draft, name: "Renamed", hosts: [`new-${draft.tenantId}.example`] };
    const { tenant } = await put({ ...changed, preference: { ...draft.preference, agentScope: "TENANT" } });
    expect(tenant).toMatchObject({ ...changed, createdAt: first!.createdAt, preference: { agentScope: "TENANT" } });
    expect(tenant!.updatedAt!.getTime()).toBeGreaterThanOrEqual(first!.updatedAt!.getTime());
    await expect(resolve(changed.hosts[0]!)).resolves.toEqual({ tenantId: draft.tenantId });
    await expect(resolve(draft.hosts[0]!)).rejects.toMatchObject({ code: "TENANT_NOT_FOUND" });
  });

  test("is the same when it is sent twice", async () => {
    const draft = fresh();
    await put(draft);
    await expect(put(draft)).resolves.toMatchObject({ tenant: { hosts: draft.hosts } });
  });

  test("refuses a host of another tenant and leaves both as they were", async () => {
    const owner = fresh();
    await put(owner);
    const other = fresh();
    await put(other);
    const greedy = put({ ...other, name: "Greedy", hosts: [...other.hosts, ...owner.hosts] });
    await expect(greedy).rejects.toMatchObject({
      code: "ALREADY_EXISTS",
      message: expect.stringContaining(owner.hosts[0]!),
    });
    await expect(resolve(owner.hosts[0]!)).resolves.toEqual({ tenantId: owner.tenantId });
    const { tenant } = await identity.rpc.gateway.getOrganisationPreference({}, inTenant(other.tenantId));
    expect(tenant).toMatchObject({ name: other.name, hosts: other.hosts });
  });

  test("gives a host that two tenants ask for at once to one of them", async () => {
    const host = `${randomUUID()}.example`;
    const drafts = Array.from({ length: 6 }, () => ({ ...fresh(), hosts: [host] }));
    const outcomes = await Promise.allSettled(drafts.map(put));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "ALREADY_EXISTS" });
    }
  });

  test("refuses second factors, which nothing can verify yet", async () => {
    const draft = fresh();
    const preference = { ...draft.preference, secondFactors: { otp: true, pin: false } };
    await expect(put({ ...draft, preference })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      details: {
        errors: [{ path: "preference.secondFactors.otp", message: "second factors are not available yet" }],
      },
    });
  });

  test("refuses no tenant, and a tenant without preference", async () => {
    const { operator } = identity.rpc;
    await expect(operator.putTenant({}, aboveTenants())).rejects.toMatchObject({ code: "INVALID_INPUT" });
    const { preference: _, ...bare } = fresh();
    await expect(operator.putTenant({ tenant: bare }, aboveTenants())).rejects.toMatchObject({
      code: "INVALID_INPUT",
      details: { errors: [{ path: "preference", message: "is required" }] },
    });
  });
});

describe("ResolveHost", () => {
  test("finds the tenant whatever case and port the host comes with", async () => {
    const draft = fresh();
    await put(draft);
    await expect(resolve(`${draft.hosts[0]!.toUpperCase()}:8080`)).resolves.toEqual({ tenantId: draft.tenantId });
  });

  test.each(["nobody.example", "", "[::1]:8080", "x".repeat(5_000)])("refuses %p as unknown", async (host) => {
    await expect(resolve(host)).rejects.toMatchObject({ code: "TENANT_NOT_FOUND" });
  });
});

describe("GetOrganisationPreference", () => {
  test("answers every field", async () => {
    const { tenantId, draft } = await newTenant(identity);
    const { tenant } = await identity.rpc.remittance.getOrganisationPreference({}, inTenant(tenantId));
    expect(tenant).toEqual({
      ...draft,
      preference: { ...draft.preference, countries: ["USA", "NGA"] },
      createdAt: expect.any(Date),
      updatedAt: expect.any(Date),
    });
  });

  test("refuses an unknown tenant", async () => {
    const call = identity.rpc.gateway.getOrganisationPreference({}, inTenant("nobody"));
    await expect(call).rejects.toMatchObject({ code: "TENANT_NOT_FOUND" });
  });
});
