import { randomUUID } from "node:crypto";
import { registration } from "../../../test/support/identity-drafts.js";
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

const refused = (code: string) => expect.objectContaining({ code });
const erase = (tenantId: string, customerId: string) =>
  identity.rpc.operator.eraseCustomer({ customerId, reason: "asked to be forgotten" }, inTenant(tenantId));

test("erasing a customer leaves nothing that says who they were, and lets nobody in as them", async () => {
  const t = await newTenant(identity);
  const name = `zuberi${randomUUID().slice(0, 8)}`;
  const request = { ...registration(name), phoneNumber: "+254700123987" };
  const { customer } = await identity.rpc.operator.registerCustomer(request, inTenant(t.tenantId));
  const session = await t.login(name);
  const call = inTenant(t.tenantId, session.accessToken);
  const { token } = await identity.rpc.gateway.createApiToken(
    { idempotencyKey: "k", name: "x", lifetime: "API_TOKEN_LIFETIME_DAY", scopes: ["profile:read"] },
    call,
  );
  const { erasedAt } = await erase(t.tenantId, customer!.customerId);
  await expect(identity.rpc.gateway.getProfile({}, call)).rejects.toEqual(refused("TOKEN_REVOKED"));
  await expect(t.login(name)).rejects.toEqual(refused("LOGIN_FAILED"));
  await expect(identity.rpc.gateway.exchangeApiToken({ token }, inTenant(t.tenantId))).rejects.toEqual(
    refused("UNAUTHENTICATED"),
  );
  // Ids stay for the books.
  const { customer: left } = await identity.rpc.remittance.getCustomer(
    { customerId: customer!.customerId },
    inTenant(t.tenantId),
  );
  expect(left).toMatchObject({ customerCode: customer!.customerCode, firstName: "erased", phoneNumber: "" });
  for (const collection of await identity.db.collections()) {
    const kept = JSON.stringify(await collection.find({}).toArray());
    for (const trace of [name, "+254700123987", "700123987"]) {
      expect([collection.collectionName, kept.includes(trace)]).toEqual([collection.collectionName, false]);
    }
  }
  // The kept answer too, in MongoDB and in the replay cache.
  await expect(identity.rpc.operator.registerCustomer(request, inTenant(t.tenantId))).rejects.toEqual(
    refused("NOT_FOUND"),
  );
  await expect(erase(t.tenantId, customer!.customerId)).resolves.toEqual({ erasedAt });
  const audit = await identity.db
    .collection("audit")
    .find({ action: "customer.erase", tenantId: t.tenantId })
    .toArray();
  expect(audit).toMatchObject([{ actor: "operator", reason: "asked to be forgotten", subject: customer!.userId }]);
});

test("an erased customer stays so: they are not enabled, and their e-mail address is free again", async () => {
  const t = await newTenant(identity);
  const amina = await t.customer("amina");
  await t.staff("MANAGER");
  await erase(t.tenantId, amina.customerId);
  const { accessToken } = await t.login("manager");
  const enable = identity.rpc.gateway.enableUser(
    { userId: amina.userId, reason: "back" },
    inTenant(t.tenantId, accessToken),
  );
  await expect(enable).rejects.toEqual(refused("NOT_FOUND"));
  expect((await t.customer("amina")).customerId).not.toBe(amina.customerId);
});

test("is the operator's, in the tenant of the customer, with a reason", async () => {
  const t = await newTenant(identity);
  const other = await newTenant(identity);
  const { customerId } = await t.customer("amina");
  const { gateway, operator } = identity.rpc;
  await expect(gateway.eraseCustomer({ customerId, reason: "x" }, inTenant(t.tenantId))).rejects.toEqual(
    refused("CALLER_NOT_ALLOWED"),
  );
  await expect(erase(other.tenantId, customerId)).rejects.toEqual(refused("CUSTOMER_NOT_FOUND"));
  await expect(operator.eraseCustomer({ customerId, reason: "" }, inTenant(t.tenantId))).rejects.toEqual(
    refused("INVALID_INPUT"),
  );
});

test("retention erases the customers who were disabled long enough ago, in every tenant, and nobody else", async () => {
  const [one, two] = [await newTenant(identity), await newTenant(identity)];
  const gone = [await one.customer("amina"), await two.customer("amina")];
  const recent = await one.customer("kofi");
  const active = await one.customer("yara");
  const disable = (tenantId: string, userId: string) =>
    identity.rpc.operator.disableUser({ userId, reason: "closed" }, inTenant(tenantId));
  await disable(one.tenantId, gone[0]!.userId);
  await disable(two.tenantId, gone[1]!.userId);
  identity.passMs(40 * 86_400_000);
  await disable(one.tenantId, recent.userId);
  const apply = () => identity.rpc.operator.applyRetention({ disabledForDays: 30 }, aboveTenants());
  await expect(apply()).resolves.toEqual({ erased: 2 });
  await expect(apply()).resolves.toEqual({ erased: 0 });
  const nameOf = async (customerId: string) =>
    (await identity.rpc.remittance.getCustomer({ customerId }, inTenant(one.tenantId))).customer!.firstName;
  expect([await nameOf(gone[0]!.customerId), await nameOf(recent.customerId), await nameOf(active.customerId)]).toEqual(
    ["erased", "kofi", "yara"],
  );
  for (const disabledForDays of [0, 36_501]) {
    const call = identity.rpc.operator.applyRetention({ disabledForDays }, aboveTenants());
    await expect(call).rejects.toEqual(refused("INVALID_INPUT"));
  }
});
