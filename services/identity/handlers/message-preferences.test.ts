import { inTenant, newTenant, startTestIdentity, type TestIdentity } from "../../../test/support/identity.js";
import { waitFor } from "../../../test/support/index.js";

let identity: TestIdentity;
beforeAll(async () => {
  identity = await startTestIdentity();
});
afterAll(() => identity.stop());

async function office() {
  const tenant = await newTenant(identity);
  const { tenantId } = tenant;
  await tenant.staff("MANAGER");
  const [amina, kofi] = [await tenant.customer("amina"), await tenant.customer("kofi")];
  const token = (await tenant.login("amina")).accessToken;
  const choose = (channel: string, language: string, more: object = {}, as = token) =>
    identity.rpc.gateway.updateProfile({ messagePreference: { channel, language }, ...more }, inTenant(tenantId, as));
  const contacts = async (...customerIds: string[]) =>
    (await identity.rpc.events.getMessageContacts({ customerIds }, inTenant(tenantId))).contacts;
  return { ...tenant, amina, kofi, token, choose, contacts };
}

test("a customer chooses how they are told; what they leave out stays", async () => {
  const { tenantId, amina, kofi, token, choose, contacts } = await office();
  const before = await identity.rpc.gateway.getProfile({}, inTenant(tenantId, token));
  expect(before.profile!.messagePreference).toEqual({ channel: "EMAIL", language: "" });
  expect((await choose("BOTH", "")).profile!.messagePreference).toEqual({ channel: "BOTH", language: "" });
  expect((await choose("", "de")).profile!.messagePreference).toEqual({ channel: "BOTH", language: "de" });
  const found = await contacts(amina.customerId, kofi.customerId, "nobody");
  expect(new Map(found.map(({ customerId, preference }) => [customerId, preference]))).toEqual(
    new Map([
      [amina.customerId, { channel: "BOTH", language: "de" }],
      [kofi.customerId, { channel: "EMAIL", language: "" }],
    ]),
  );
  const { email, phoneNumber, firstName } = amina;
  expect(found.find(({ customerId }) => customerId === amina.customerId)).toMatchObject({
    email,
    phoneNumber,
    firstName,
  });
});

test.each<[string, string, string, string]>([
  ["a channel that is none", "FAX", "", "messagePreference.channel"],
  ["a language that is none", "", "qq", "messagePreference.language"],
  ["a tag", "", "en-NG", "messagePreference.language"],
])("%s is refused by its path", async (_what, channel, language, path) => {
  const { choose } = await office();
  await expect(choose(channel, language)).rejects.toMatchObject({ details: { errors: [{ path }] } });
});

test("staff choose nothing for themselves", async () => {
  const { choose, login } = await office();
  const { accessToken } = await login("manager");
  await expect(choose("SMS", "", {}, accessToken)).rejects.toMatchObject({
    details: { errors: [{ path: "messagePreference" }] },
  });
});

test("who was erased is nobody to be told, and others than events ask for nobody", async () => {
  const { tenantId, amina, choose, contacts } = await office();
  await choose("SMS", "de");
  await identity.rpc.operator.eraseCustomer(
    { customerId: amina.customerId, reason: "asked to be forgotten" },
    inTenant(tenantId),
  );
  expect(await contacts(amina.customerId)).toEqual([]);
  const stored = await identity.db.collection("users").findOne({ tenantId, "customer.id": amina.customerId });
  expect(JSON.stringify(stored)).not.toContain("messages");
  const requested = { customerIds: [amina.customerId] };
  await expect(identity.rpc.remittance.getMessageContacts(requested, inTenant(tenantId))).rejects.toMatchObject({
    code: "CALLER_NOT_ALLOWED",
  });
});

test("a security message comes whatever the channel says, in the customer's language", async () => {
  const { tenantId, choose, amina } = await office();
  await choose("NONE", "de");
  await identity.rpc.gateway.requestPasswordReset({ email: amina.email }, inTenant(tenantId));
  const mail = await waitFor(() => identity.sent.find(({ account, to }) => account === tenantId && to === amina.email));
  expect(mail).toMatchObject({ channel: "EMAIL", subject: expect.stringContaining("ein neues Passwort setzen") });
  expect(mail.text).toMatch(/Ihr Code zum Zurücksetzen: \S+/);
});
