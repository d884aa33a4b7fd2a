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
  identity = await startTestIdentity();
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
    await expect(resolve(changed.hosts[0]!)).resolves.toMatchObject({ tenantId: draft.tenantId });
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
    await expect(resolve(owner.hosts[0]!)).resolves.toMatchObject({ tenantId: owner.tenantId });
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
    await expect(resolve(`${draft.hosts[0]!.toUpperCase()}:8080`)).resolves.toEqual({
      tenantId: draft.tenantId,
      sandboxTenantId: `${draft.tenantId}--sandbox`,
      corsOrigins: [],
      name: draft.name,
    });
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
      preference: {
        ...draft.preference,
        countries: ["USA", "NGA"],
        corsOrigins: [],
        staffTotpRequired: false,
        blindTillCounts: true,
        agentCounterSales: false,
        singlePersonLimits: [],
        amountCeilings: [],
        requiredDetails: [],
      },
      createdAt: expect.any(Date),
      updatedAt: expect.any(Date),
      sandboxOf: "",
    });
  });

  test("refuses an unknown tenant", async () => {
    const call = identity.rpc.gateway.getOrganisationPreference({}, inTenant("nobody"));
    await expect(call).rejects.toMatchObject({ code: "TENANT_NOT_FOUND" });
  });
});

describe("sandboxes", () => {
  const sandboxOf = (tenantId: string) => `${tenantId}--sandbox`;

  test("a tenant is made with its sandbox, a tenant of its own without hosts", async () => {
    const { tenantId, draft } = await newTenant(identity);
    const { tenant } = await identity.rpc.gateway.getOrganisationPreference({}, inTenant(sandboxOf(tenantId)));
    expect(tenant).toMatchObject({ tenantId: sandboxOf(tenantId), sandboxOf: tenantId, hosts: [] });
    expect(tenant!.preference).toMatchObject({ baseCurrency: draft.preference.baseCurrency });
  });

  test("cannot be put by themselves", async () => {
    const draft = fresh();
    const call = put({ ...draft, tenantId: sandboxOf(draft.tenantId), hosts: [] });
    await expect(call).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });

  test("people of the one are nobody in the other", async () => {
    const tenant = await newTenant(identity);
    await tenant.staff("MANAGER");
    const { accessToken } = await tenant.login("manager");
    const there = identity.rpc.gateway.getOrganisationPreference({}, inTenant(sandboxOf(tenant.tenantId), accessToken));
    await expect(there).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  });

  test("every tenant is listed to the operator, by pages", async () => {
    const { tenantId } = await newTenant(identity);
    const seen: string[] = [];
    for (let pageToken = ""; ;) {
      const page = await identity.rpc.operator.listTenants({ pageSize: 5, pageToken }, aboveTenants());
      seen.push(...page.tenants.map((tenant) => tenant.tenantId));
      pageToken = page.nextPageToken;
      if (pageToken === "") break;
    }
    expect(seen).toEqual(expect.arrayContaining([tenantId, sandboxOf(tenantId)]));
    expect(new Set(seen).size).toBe(seen.length);
  });
});

describe("the business clock", () => {
  const advance = (tenantId: string, days: number, idempotencyKey: string = randomUUID()) =>
    identity.rpc.operator.advanceBusinessDate({ days, idempotencyKey }, inTenant(tenantId));
  const read = async (tenantId: string) =>
    (await identity.rpc.remittance.getTenantClock({}, inTenant(tenantId))).clock!;

  test("of a live tenant is real time, in the tenant's zone, and nobody moves it", async () => {
    const { tenantId } = await newTenant(identity);
    expect(await read(tenantId)).toMatchObject({ timeZone: "Africa/Lagos", offsetMs: 0n, sandbox: false });
    await expect(advance(tenantId, 1)).rejects.toMatchObject({ code: "FORBIDDEN" });
  });

  test("of a sandbox moves on by days, once per key, and tokens do not notice", async () => {
    const sandbox = `${(await newTenant(identity)).tenantId}--sandbox`;
    const key = randomUUID();
    const { clock: moved } = await advance(sandbox, 30, key);
    expect(moved).toMatchObject({ offsetMs: 2_592_000_000n, sandbox: true });
    await expect(advance(sandbox, 30, key)).resolves.toEqual({ clock: moved });
    await expect(advance(sandbox, 31, key)).rejects.toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED" });
    await advance(sandbox, 1);
    const now = await read(sandbox);
    expect(now.offsetMs).toBe(31n * 86_400_000n);
    expect(now.businessDate).toBe(
      new Intl.DateTimeFormat("sv-SE", { timeZone: "Africa/Lagos" }).format(now.businessTime),
    );
  });

  test.each([0, -1, 3_661])("refuses %p days", async (days) => {
    const sandbox = `${(await newTenant(identity)).tenantId}--sandbox`;
    await expect(advance(sandbox, days)).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });

  test("is moved by a MANAGER of the sandbox and by nobody else of it", async () => {
    const { tenantId } = await newTenant(identity);
    const anonymous = identity.rpc.gateway.advanceBusinessDate(
      { days: 1, idempotencyKey: "k" },
      inTenant(`${tenantId}--sandbox`),
    );
    await expect(anonymous).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  });
});
