import { randomUUID } from "node:crypto";
import { waitFor } from "../../../test/support/index.js";
import { registration } from "../../../test/support/identity-drafts.js";
import { inTenant, newTenant, startTestIdentity, type TestIdentity } from "../../../test/support/identity.js";

let identity: TestIdentity;
beforeAll(async () => {
  identity = await startTestIdentity();
});
afterAll(() => identity.stop());

const refused = (code: string, more: object = {}) => expect.objectContaining({ code, ...more }) as Error;
const refusedAt = (path: string) =>
  refused("INVALID_INPUT", { details: { errors: [expect.objectContaining({ path })] } });

const passport = { type: "PASSPORT", number: "G01234567", country: "GHA", expiresAt: "2100-03-04", gender: "" };
const details = (dateOfBirth: string, identityDocuments: object[] = []) => ({
  dateOfBirth,
  nationality: "",
  identityDocuments,
});
const efua = (more: object = {}) => ({
  idempotencyKey: randomUUID(),
  firstName: "Efua",
  lastName: "Quartey",
  phoneNumber: "020 123 4567",
  email: "",
  country: "GH",
  details: details("1988-07-01", [passport]),
  ...more,
});

async function counter(change: Parameters<typeof newTenant>[1] = {}) {
  const tenant = await newTenant(identity, change);
  await tenant.staff("MANAGER");
  const cashier = await tenant.staff("CASHIER");
  const agent = await tenant.staff("AGENT");
  const tokens = new Map<string, string>();
  await tenant.staff("CASHIER", "colleague");
  for (const name of ["manager", "agent", "cashier", "colleague"])
    tokens.set(name, (await tenant.login(name)).accessToken);
  const as = (who: string) => inTenant(tenant.tenantId, tokens.get(who)!);
  const { gateway } = identity.rpc;
  const register = async (more: object = {}, who = "cashier") =>
    (await gateway.registerAtCounter(efua(more), as(who))).customer!;
  const stored = (customerId: string) =>
    identity.db.collection("users").findOne({ tenantId: tenant.tenantId, "customer.id": customerId });
  const login = (email: string, currentPassword: string) =>
    gateway.login({ email, currentPassword, ipAddress: "" }, inTenant(tenant.tenantId));
  const sentTo = (to: string) => identity.sent.filter((one) => one.to === to);
  return { ...tenant, cashier, agent, as, register, stored, login, sentTo };
}

const digitsOf = (text: string) => /\b\d{6}\b/.exec(text)![0];

test("a CASHIER registers somebody without e-mail and password, with a document seen by whom and when", async () => {
  const t = await counter();
  const before = new Date();
  const made = await t.register();
  expect(made).toMatchObject({
    firstName: "Efua",
    email: "",
    phoneNumber: "+233201234567",
    country: "GHA",
    status: "PENDING",
    registeredAtCounter: true,
    details: { identityDocuments: [{ type: "PASSPORT", number: "*****567", seenBy: t.cashier.userId }] },
  });
  const seenAt = made.details!.identityDocuments[0]!.seenAt!;
  expect(seenAt.getTime()).toBeGreaterThanOrEqual(before.getTime());
  const record = (await t.stored(made.customerId))!;
  expect([record["emailKey"], record["passwordHash"]]).toEqual(["", ""]);
  // Sealed with the person's details: nothing of it can be read in the database.
  expect(JSON.stringify(record)).not.toMatch(/G01234567|1988-07-01|\+233/);
  const audit = await identity.db.collection("audit").findOne({ action: "customer.register", subject: made.userId });
  expect(audit).toMatchObject({ actor: t.cashier.userId, reason: "at the counter, 1 documents seen" });
});

test("people without an address are in nobody's way, nobody logs in as them, and they are found and listed", async () => {
  const t = await counter();
  const first = await t.register();
  const second = await t.register({ firstName: "Kwabena", lastName: "Boateng", details: details("1970-02-03") });
  for (const [email, password] of [
    [" ", "x"],
    ["@", ""],
    ["a@x.example", ""],
  ] as const) {
    await expect(t.login(email, password)).rejects.toEqual(expect.objectContaining({ code: expect.any(String) }));
  }
  await expect(
    identity.rpc.gateway.requestPasswordReset({ email: "", ipAddress: "" }, inTenant(t.tenantId)),
  ).rejects.toEqual(refused("INVALID_INPUT"));
  const all = (await identity.rpc.gateway.listManagedCustomers({}, t.as("manager"))).customers;
  expect(all.map(({ customerId, email }) => [customerId, email]).toSorted()).toEqual(
    [first, second].map(({ customerId }) => [customerId, ""]).toSorted(),
  );
  const listed = await identity.rpc.gateway.listManagedCustomers({ search: "quart" }, t.as("manager"));
  expect(listed.customers.map(({ customerId }) => customerId)).toEqual([first.customerId]);
  const words = (await t.stored(first.customerId))!["customer"].searchWords as string[];
  expect(words).not.toContain("");
  const { contacts } = await identity.rpc.events.getMessageContacts(
    { customerIds: [first.customerId] },
    inTenant(t.tenantId),
  );
  expect(contacts).toMatchObject([{ email: "", phoneNumber: "+233201234567" }]);
});

test("an address counts once a colleague of whoever typed it has read its code; then a mail to it lets them set a password and log in", async () => {
  const t = await counter();
  const email = `${randomUUID()}@x.example`;
  const made = await t.register({ email });
  expect(made.email).toBe("");
  const sent = await waitFor(() => t.sentTo(email)[0]);
  // A reset before the address counts finds nobody.
  await identity.rpc.gateway.requestPasswordReset({ email, ipAddress: "" }, inTenant(t.tenantId));
  const confirm = (code: string, who = "colleague") =>
    identity.rpc.gateway.confirmCounterContact({ customerCode: made.customerCode, type: "EMAIL", code }, t.as(who));
  const right = digitsOf(sent.text);
  const wrong = right === "000000" ? "000001" : "000000";
  // Who typed it could be its owner, and then the customer.
  await expect(confirm(right, "cashier")).rejects.toEqual(refused("FORBIDDEN"));
  await expect(confirm(wrong)).rejects.toEqual(refused("VERIFICATION_FAILED"));
  expect((await confirm(right)).customer).toMatchObject({ email, customerCode: made.customerCode });
  // The same again changes nothing.
  expect((await confirm(right)).customer!.customerCode).toBe(made.customerCode);

  await identity.rpc.gateway.requestPasswordReset({ email, ipAddress: "" }, inTenant(t.tenantId));
  const mail = await waitFor(() => t.sentTo(email).find(({ text }) => /token: /.test(text)));
  const token = /token: (\S+)/.exec(mail.text)![1]!;
  const newPassword = "a-horse-of-theirs-7";
  await identity.rpc.gateway.resetPassword({ token, newPassword }, inTenant(t.tenantId));
  expect((await t.login(email, newPassword)).session!.user!.userId).toBe(made.userId);
  // From then on they confirm contacts themself.
  await expect(confirm(right)).rejects.toEqual(refused("FORBIDDEN"));
});

test("somebody who may be a customer already is refused by code alone, until each of them is named as somebody else", async () => {
  const t = await counter();
  const made = await t.register();
  const likely: [object, string][] = [
    [{}, "the same in all"],
    [{ firstName: "Efwa", phoneNumber: "", details: details("1988-07-01") }, "a misspelt name and the day of birth"],
    [
      { firstName: "Quartey", lastName: "Efua", phoneNumber: "", details: undefined },
      "the name, no day of birth known",
    ],
    [{ firstName: "Ama", lastName: "Sarpong", details: details("1990-01-01", [passport]) }, "the document"],
    [{ lastName: "Quarty", details: details("1990-01-01") }, "a name that is alike and the number"],
  ];
  for (const [more, why] of likely) {
    const refusal = refused("POSSIBLE_DUPLICATE", { details: { figures: { customerCodes: made.customerCode } } });
    await expect(t.register(more).then(() => why)).rejects.toEqual(refusal);
  }
  const others: object[] = [
    { phoneNumber: "", details: details("1990-01-01") },
    { firstName: "Ama", lastName: "Sarpong", details: details("1988-07-01") },
  ];
  for (const more of others) await expect(t.register(more)).resolves.toMatchObject({ registeredAtCounter: true });

  const key = randomUUID();
  const named = { idempotencyKey: key, firstName: "Efwa", phoneNumber: "", notDuplicates: [made.customerCode] };
  const twin = await t.register({ ...named, details: details("1988-07-01") });
  // Again under its key it is the one that was made, whoever is like them by now.
  const again = await t.register({ ...named, details: details("1988-07-01") });
  expect(again.customerId).toBe(twin.customerId);
  const noted = await identity.db.collection("audit").findOne({ action: "customer.register", subject: twin.userId });
  expect(noted!["reason"]).toContain(`not ${made.customerCode}`);
});

test("AGENTs serve where the organisation lets them sell at the counter, their own alone; MANAGERs do not", async () => {
  const [t, open] = [await counter(), await counter({ agentCounterSales: true })];
  await expect(t.register({}, "agent")).rejects.toEqual(refused("FORBIDDEN"));
  await expect(t.register({}, "manager")).rejects.toEqual(refused("FORBIDDEN"));
  const own = await open.register({}, "agent");
  expect(own.agentId).toBe(open.agent.userId);
  const others = await open.register({ firstName: "Ama", lastName: "Sarpong", details: details("1990-01-01") });
  const see = (customerCode: string, who: string) =>
    identity.rpc.gateway.noteSeenDocument({ customerCode, document: passport }, open.as(who));
  await expect(see(others.customerCode, "agent")).rejects.toEqual(refused("FORBIDDEN"));
  await expect(see("C-NOBODY", "agent")).rejects.toEqual(refused("CUSTOMER_NOT_FOUND"));
  expect((await see(own.customerCode, "agent")).customer!.customerId).toBe(own.customerId);
});

test("a document is seen anew in the place of the same one, stays seen beside another, and not under another name", async () => {
  const t = await counter();
  const request = { ...registration("kofi"), firstName: "Kofi", details: details("1980-01-01", [passport]) };
  const { customer } = await identity.rpc.operator.registerCustomer(request, inTenant(t.tenantId));
  const { customerCode, userId, customerId } = customer!;
  expect(customer!.details!.identityDocuments[0]!.seenAt).toBeUndefined();
  const see = (document: object) => identity.rpc.gateway.noteSeenDocument({ customerCode, document }, t.as("cashier"));
  const seen = (await see(passport)).customer!.details!.identityDocuments;
  expect(seen.map(({ seenBy }) => seenBy)).toEqual([t.cashier.userId]);

  const licence = { ...passport, type: "DRIVING_LICENCE", number: "L-77 1234" };
  const update = (change: object) => identity.rpc.gateway.updateProfile({ userId, ...change }, t.as("manager"));
  const documentsOf = async () =>
    (await identity.rpc.gateway.getCustomer({ customerId }, t.as("manager"))).customer!.details!.identityDocuments.map(
      ({ type, seenBy }) => [type, seenBy !== ""],
    );
  await update({ details: details("", [licence, passport]) });
  expect(await documentsOf()).toEqual([
    ["DRIVING_LICENCE", false],
    ["PASSPORT", true],
  ]);
  await update({ lastName: "Mensah" });
  expect(await documentsOf()).toEqual([
    ["DRIVING_LICENCE", false],
    ["PASSPORT", false],
  ]);
});

test("a document never makes way for another one but where it is over, and counts for what came after it", async () => {
  const t = await counter();
  const first = { ...passport, number: "G00000000" };
  const { customerCode, customerId } = await t.register({ details: details("1988-07-01", [first]) });
  const see = (number: string, more: object = {}) =>
    identity.rpc.gateway.noteSeenDocument(
      { customerCode, document: { ...passport, number, ...more } },
      t.as("cashier"),
    );
  const before = new Date();
  for (const number of ["G00000001", "G00000002", "G00000003", "G00000004"]) await see(number);
  await expect(see("G00000005")).rejects.toEqual(refused("STATE_CONFLICT"));
  // The same one again is no other one.
  await see("G00000004", { expiresAt: "2101-03-04" });
  const compared = (number: string, onFileBefore?: Date) =>
    identity.rpc.wallet.compareDocument({ customerId, type: "PASSPORT", number, onFileBefore }, inTenant(t.tenantId));
  expect(await compared("G00000004")).toEqual({ onFile: true, anyOnFile: true });
  expect(await compared("G00000004", before)).toEqual({ onFile: false, anyOnFile: true });
  expect(await compared("G00000000", before)).toEqual({ onFile: true, anyOnFile: true });
});

test("an AGENT is told no code of a customer of others who may be the same, and does not pass them by", async () => {
  const t = await counter({ agentCounterSales: true });
  const others = await t.register();
  const notDuplicates = [others.customerCode];
  for (const more of [{}, { notDuplicates }]) {
    const { code, details: said } = await t.register(more, "agent").then(
      () => ({ code: "", details: {} }),
      (error: { code: string; details?: object }) => error,
    );
    expect([code, JSON.stringify(said ?? {})]).toEqual([
      "POSSIBLE_DUPLICATE",
      expect.not.stringContaining(others.customerCode),
    ]);
  }
  const open = await counter({ agentCounterSales: true, agentScope: "TENANT" });
  const { customerCode } = await open.register();
  await expect(open.register({}, "agent")).rejects.toEqual(
    refused("POSSIBLE_DUPLICATE", { details: { figures: { customerCodes: customerCode } } }),
  );
});

test.each([
  [{ firstName: "" }, "firstName"],
  [{ phoneNumber: "12" }, "phoneNumber"],
  [{ email: "nobody" }, "email"],
  [{ country: "XX", phoneNumber: "" }, "country"],
  [{ details: details("2020-01-01") }, "dateOfBirth"],
  [{ details: details("", [{ ...passport, expiresAt: "2001-01-01" }]) }, "identityDocuments[0].expiresAt"],
  [{ notDuplicates: ["C-1?"] }, "notDuplicates[0]"],
  [{ notDuplicates: Array.from({ length: 51 }, (_, index) => `C-${index}`) }, "notDuplicates"],
  [{ idempotencyKey: "" }, "idempotencyKey"],
])("%j is refused by name of the field, and nothing is kept", async (more, path) => {
  const t = await counter();
  await expect(t.register(more)).rejects.toEqual(refusedAt(path));
  expect(await identity.db.collection("users").countDocuments({ tenantId: t.tenantId, role: "CUSTOMER" })).toBe(0);
});

test("twice at once under one key makes one; who was erased leaves neither document nor key, and is served no more", async () => {
  const t = await counter();
  const same = { idempotencyKey: randomUUID() };
  const made = await Promise.allSettled([t.register(same), t.register(same)]);
  const ids = made.flatMap((one) => (one.status === "fulfilled" ? [one.value.customerId] : []));
  expect(new Set(ids).size).toBe(1);
  expect(await identity.db.collection("users").countDocuments({ tenantId: t.tenantId, role: "CUSTOMER" })).toBe(1);
  const customerId = ids[0]!;
  const customerCode = (await t.stored(customerId))!["customer"].code as string;
  await identity.rpc.operator.eraseCustomer({ customerId, reason: "asked for it" }, inTenant(t.tenantId));
  // Nothing is on file any more: any document would pass.
  await expect(
    identity.rpc.wallet.compareDocument({ customerId, type: "PASSPORT", number: "Z99999999" }, inTenant(t.tenantId)),
  ).rejects.toEqual(refused("STATE_CONFLICT"));
  const record = (await t.stored(customerId))!;
  expect([record["customer"].details, record["customer"].findKeys]).toEqual([undefined, undefined]);
  await expect(
    identity.rpc.gateway.noteSeenDocument({ customerCode, document: passport }, t.as("cashier")),
  ).rejects.toEqual(refused("CUSTOMER_NOT_FOUND"));
});
