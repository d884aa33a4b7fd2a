import { randomUUID } from "node:crypto";
import { registration } from "../../../test/support/identity-drafts.js";
import { inTenant, type TestIdentity } from "../../../test/support/identity.js";
import {
  address,
  day,
  details,
  faultsAt,
  stored,
  officeOf,
  passport,
  startTellingIdentity,
  type Details,
} from "../../../test/support/identity-details.js";
import { waitFor } from "../../../test/support/index.js";
import { minimumAgeYears } from "../domain/personal-details.js";

let world: Awaited<ReturnType<typeof startTellingIdentity>>;
let identity: TestIdentity;
beforeAll(async () => {
  world = await startTellingIdentity();
  ({ identity } = world);
});
afterAll(() => world.stop());

const office = (change: Parameters<typeof officeOf>[1] = {}) => officeOf(identity, change);
const refused = (code: string) => expect.objectContaining({ code });

describe("details that are given", () => {
  test("are kept as they are compared: countries of three letters, numbers in capitals, spaces once", async () => {
    const t = await office();
    const given = { ...details, identityDocuments: [{ ...passport, number: " a01234567 " }] };
    const { customerId } = await t.register("amina", {
      ...given,
      placeOfBirth: { city: "  Kanoport ", country: "NG" },
    });
    const { customer } = await identity.rpc.compliance.getCustomer({ customerId }, inTenant(t.tenantId));
    expect(customer!.details).toEqual(stored);
  });

  const document = (change: object) => ({ identityDocuments: [{ ...passport, ...change }] });
  const home = (change: object) => ({ address: { ...address, ...change } });
  test.each<[string, Details, string[]]>([
    ["no day of the calendar", { dateOfBirth: "1990-02-30" }, ["dateOfBirth"]],
    ["a day in another form", { dateOfBirth: "30.04.1990" }, ["dateOfBirth"]],
    ["a birth of tomorrow", { dateOfBirth: day(0, 1) }, ["dateOfBirth"]],
    ["a birth before 1900", { dateOfBirth: "1899-12-31" }, ["dateOfBirth"]],
    ["somebody a day too young", { dateOfBirth: day(-minimumAgeYears, 1) }, ["dateOfBirth"]],
    ["an unknown nationality", { nationality: "ZZZ" }, ["nationality"]],
    ["a place that is too long", { placeOfBirth: { city: "x".repeat(36), country: "NG" } }, ["placeOfBirth.city"]],
    ["a place that nobody sees", { placeOfBirth: { city: "Ka\u200Bno", country: "NG" } }, ["placeOfBirth.city"]],
    ["a country of birth without a town", { placeOfBirth: { country: "NG" } }, ["placeOfBirth.city"]],
    ["a town of birth without a country", { placeOfBirth: { city: "Kano" } }, ["placeOfBirth.country"]],
    ["no line", home({ lines: [] }), ["address.lines"]],
    ["three lines", home({ lines: ["1", "2", "3"] }), ["address.lines"]],
    ["a line that is too long", home({ lines: ["4", "x".repeat(71)] }), ["address.lines[1]"]],
    [
      "a city of nothing and a country that is none",
      home({ city: " ", country: "Q" }),
      ["address.city", "address.country"],
    ],
    ["a city that is too long", home({ city: "x".repeat(36) }), ["address.city"]],
    ["a postal code of signs", home({ postalCode: "#1" }), ["address.postalCode"]],
    ["an unknown document", document({ type: "LIBRARY_CARD" }), ["identityDocuments[0].type"]],
    ["a number that is too long", document({ number: "1".repeat(36) }), ["identityDocuments[0].number"]],
    ["a number of two scripts", document({ number: "AВ123" }), ["identityDocuments[0].number"]],
    ["a gender that is none", document({ gender: "TALL" }), ["identityDocuments[0].gender"]],
    ["a document of no country", document({ country: "" }), ["identityDocuments[0].country"]],
    ["a document that is over", document({ expiresAt: day(0, -1) }), ["identityDocuments[0].expiresAt"]],
    ["an end that is no day", document({ expiresAt: "2031-13-01" }), ["identityDocuments[0].expiresAt"]],
    [
      "a document twice",
      { identityDocuments: [passport, { ...passport, number: "a01234567 ", expiresAt: "" }] },
      ["identityDocuments[1].number"],
    ],
    [
      "six documents",
      { identityDocuments: Array.from({ length: 6 }, (_, index) => ({ ...passport, number: `A${index}` })) },
      ["identityDocuments"],
    ],
    [
      "all of it at once",
      { dateOfBirth: "x", nationality: "x", ...home({ lines: [] }), ...document({ number: "" }) },
      ["dateOfBirth", "nationality", "address.lines", "identityDocuments[0].number"],
    ],
  ])("are refused by path: %s", async (_what, given, paths) => {
    const t = await validation();
    await expect(t.register(`a${randomUUID()}`, given)).rejects.toEqual(faultsAt(...paths));
    await expect(t.update("amina", given)).rejects.toEqual(faultsAt(...paths));
  });

  // One office for all rows above: none of them leaves anything.
  let shared: Promise<Awaited<ReturnType<typeof office>>> | undefined;
  function validation() {
    shared ??= office().then(async (t) => {
      await t.register("amina", {});
      return t;
    });
    return shared;
  }

  test("are taken on the day of coming of age, and on the last day of a document", async () => {
    const t = await office();
    const given = { dateOfBirth: day(-minimumAgeYears), identityDocuments: [{ ...passport, expiresAt: day(0) }] };
    await expect(t.register("amina", given)).resolves.toMatchObject({ details: { dateOfBirth: given.dateOfBirth } });
  });

  test("are a customer's alone: staff have none", async () => {
    const t = await office();
    await expect(t.update("agent", { nationality: "NG" })).rejects.toEqual(faultsAt("nationality"));
  });
});

test("nothing of it lies in the database in clear text, neither of customers nor of who is still registering", async () => {
  const t = await office({ selfRegistration: true });
  await t.register("amina");
  const begun = { ...registration("zola"), details };
  await identity.rpc.gateway.beginRegistration(begun, inTenant(t.tenantId));
  await t.update("amina", { identityDocuments: [passport] });
  for (const collection of await identity.db.collections()) {
    const found = await collection.find({ tenantId: t.tenantId }).toArray();
    const text = JSON.stringify(found);
    for (const trace of ["1990-04-30", "Kanoport", "Zubair Lane", "Lagosville", "A01234567"]) {
      expect([collection.collectionName, trace, text.includes(trace)]).toEqual([
        collection.collectionName,
        trace,
        false,
      ]);
    }
  }
  const stored = await identity.db.collection("users").findOne({ tenantId: t.tenantId, role: "CUSTOMER" });
  expect(Object.keys(stored!.customer.details).length).toBeGreaterThan(1);
});

test("each sees what is their need: a cashier what is compared at the desk, lists and services masked numbers", async () => {
  const t = await office();
  const { customerId } = await t.register("amina", details);
  await identity.rpc.gateway.assignCustomer({ customerId, agentId: t.agent.userId }, await t.as("manager"));
  const seenBy = async (who: string) =>
    (await identity.rpc.gateway.getCustomer({ customerId }, await t.as(who))).customer!.details;
  const masked = { ...stored, identityDocuments: [{ ...passport, country: "NGA", seenBy: "", number: "*****567" }] };
  for (const who of ["manager", "agent", "amina"]) expect([who, await seenBy(who)]).toEqual([who, stored]);
  expect(await seenBy("cashier")).toEqual({ ...masked, placeOfBirth: undefined, address: undefined });
  const { profile } = await identity.rpc.gateway.getProfile({}, await t.as("amina"));
  expect(profile!.customer!.details).toEqual(stored);
  const { customers } = await identity.rpc.gateway.listManagedCustomers({}, await t.as("manager"));
  expect(customers.map((one) => one.details)).toEqual([masked]);
  const service = async (name: "compliance" | "remittance" | "wallet" | "lending" | "investment") =>
    (await identity.rpc[name].getCustomer({ customerId }, inTenant(t.tenantId))).customer!.details;
  expect(await service("compliance")).toEqual(stored);
  for (const name of ["remittance", "wallet"] as const) expect([name, await service(name)]).toEqual([name, masked]);
  // Remittance asks for several at once too, and tells compliance when they were born.
  const gathered = await identity.rpc.remittance.getCustomers({ customerIds: [customerId] }, inTenant(t.tenantId));
  expect(gathered.customers.map((one) => one.details)).toEqual([masked]);
  // For an order's originator alone, one at a time.
  const originator = await identity.rpc.remittance.getOriginator({ customerId }, inTenant(t.tenantId));
  expect(originator.customer!.details).toEqual(stored);
  const compared = (shown: object) =>
    identity.rpc.wallet.compareDocument({ customerId, ...shown }, inTenant(t.tenantId));
  const { type, number } = passport;
  const written = ` ${number.toLowerCase().slice(0, 4)}-${number.slice(4)}`;
  expect(await compared({ type, number: written })).toEqual({ onFile: true, anyOnFile: true });
  expect(await compared({ type: "NATIONAL_ID", number })).toEqual({ onFile: false, anyOnFile: true });
  expect(await compared({ type, number: `${number}1` })).toEqual({ onFile: false, anyOnFile: true });
  await expect(identity.rpc.wallet.getOriginator({ customerId }, inTenant(t.tenantId))).rejects.toEqual(
    refused("CALLER_NOT_ALLOWED"),
  );
  await expect(identity.rpc.lending.getOriginator({ customerId }, inTenant(t.tenantId))).rejects.toEqual(
    refused("CALLER_NOT_ALLOWED"),
  );
  await expect(identity.rpc.remittance.getOriginator({ customerId }, inTenant(`${t.tenantId}-x`))).rejects.toEqual(
    refused("CUSTOMER_NOT_FOUND"),
  );
  for (const name of ["lending", "investment"] as const) {
    expect([name, await service(name)]).toEqual([name, undefined]);
  }
});

test("a transfer to a bank names its customer as they were when it was first sent, and no document", async () => {
  const t = await office();
  const { customerId, userId } = await t.register("amina", details);
  const second = await t.register("bola", {});
  const { wallet, lending, remittance } = identity.rpc;
  const call = inTenant(t.tenantId);
  const asked = { reference: "w-1", customerId };
  const all = await Promise.all([1, 2, 3].map(() => wallet.keepTransferParty(asked, call)));
  const [first] = all;
  expect(all).toEqual([first, first, first]);
  const told = { ...stored, identityDocuments: [] };
  expect(first!.customer).toMatchObject({ customerId, lastName: "Bello", details: told, email: "", phoneNumber: "" });
  await t.update("manager", { address: { ...address, city: "Abuja" } }, userId);
  expect(await wallet.keepTransferParty(asked, call)).toEqual(first);
  // Each service has references of its own.
  const { customer } = await lending.keepTransferParty(asked, call);
  expect(customer!.details!.address!.city).toBe("Abuja");
  const others = { ...asked, customerId: second.customerId };
  await expect(wallet.keepTransferParty(others, call)).rejects.toEqual(refused("STATE_CONFLICT"));
  await expect(wallet.keepTransferParty({ ...asked, reference: "" }, call)).rejects.toEqual(faultsAt("reference"));
  await expect(remittance.keepTransferParty(asked, call)).rejects.toEqual(refused("CALLER_NOT_ALLOWED"));
  await expect(wallet.keepTransferParty(asked, inTenant(`${t.tenantId}-x`))).rejects.toEqual(
    refused("CUSTOMER_NOT_FOUND"),
  );
  const kepts = () => identity.db.collection("transfer_parties").find({ tenantId: t.tenantId }).toArray();
  expect(JSON.stringify(await kepts())).not.toMatch(/Bello|Marina|Abuja|1990/);
  expect(await kepts()).toHaveLength(2);
  await identity.rpc.operator.eraseCustomer({ customerId, reason: "asked for it" }, call);
  expect(await kepts()).toEqual([]);
});

describe("after registration", () => {
  test("customers give what is not there yet, once; staff change it, and compliance is told of what changed", async () => {
    const t = await office();
    const { customerId, userId } = await t.register("amina", { dateOfBirth: "1990-04-30" });
    await identity.rpc.gateway.assignCustomer({ customerId, agentId: t.agent.userId }, await t.as("manager"));
    await expect(t.update("amina", { nationality: "NG", address })).resolves.toMatchObject({
      dateOfBirth: "1990-04-30",
      nationality: "NGA",
      address: stored.address,
    });
    // What says nothing new is no change, and no refusal.
    await t.update("amina", { nationality: "NGA" });
    for (const given of [
      { dateOfBirth: "1991-04-30" },
      { address: { ...address, city: "Abuja" }, placeOfBirth: { city: "Kano", country: "NG" } },
    ]) {
      await expect(t.update("amina", given)).rejects.toEqual(refused("FORBIDDEN"));
    }
    await t.update("agent", { dateOfBirth: "1991-04-30" }, userId);
    const after = await t.update("manager", { address: { ...address, city: "Abuja" } }, userId);
    expect(after).toMatchObject({ dateOfBirth: "1991-04-30", placeOfBirth: undefined, address: { city: "Abuja" } });
    expect(await t.news(customerId)).toEqual([
      [1, ["REGISTERED"]],
      [2, ["DETAILS"]],
      [3, ["DETAILS"]],
      [4, ["DETAILS", "ADDRESS"]],
    ]);
    const last = await waitFor(() => world.told.find((one) => one.customerId === customerId && one.revision === 4));
    expect(last).toMatchObject({
      tenantId: t.tenantId,
      firstName: "amina",
      lastName: "Bello",
      country: "NGA",
      isStaff: false,
      details: after,
    });
    const audit = await identity.db
      .collection("audit")
      .find({ tenantId: t.tenantId, action: "profile.update" })
      .sort({ at: 1 })
      .toArray();
    expect(audit.at(-1)).toMatchObject({ subject: userId, reason: expect.stringContaining("address") });
    expect(JSON.stringify(audit)).not.toMatch(/Abuja|1991/);
  });

  test("of two answers that are given at once, one is kept", async () => {
    const t = await office();
    await t.register("amina", {});
    const call = await t.as("amina");
    const days = ["1980-01-01", "1981-01-01", "1982-01-01"];
    const outcomes = await Promise.allSettled(
      days.map((dateOfBirth) => identity.rpc.gateway.updateProfile({ details: { dateOfBirth } }, call)),
    );
    const won = outcomes.findIndex(({ status }) => status === "fulfilled");
    expect(outcomes.map(({ status }) => status).filter((status) => status === "fulfilled")).toHaveLength(1);
    const { profile } = await identity.rpc.gateway.getProfile({}, call);
    expect(profile!.customer!.details!.dateOfBirth).toBe(days[won]);
  });

  test("an erased customer has none, and none are kept of them", async () => {
    const t = await office();
    const { customerId } = await t.register("amina");
    await identity.rpc.operator.eraseCustomer({ customerId, reason: "asked for it" }, inTenant(t.tenantId));
    const { customer } = await identity.rpc.compliance.getCustomer({ customerId }, inTenant(t.tenantId));
    expect(customer!.details).toBeUndefined();
    const stored = await identity.db.collection("users").findOne({ "customer.id": customerId });
    expect(stored!.customer.details).toBeUndefined();
  });
});

test("of staff compliance is told when they begin and when their name changes, not of their contacts", async () => {
  const t = await office();
  expect(await t.news(t.agent.userId)).toEqual([[1, ["REGISTERED"]]]);
  const manages = await t.as("manager");
  for (const name of ["Ada Agent", "Ada Agent"]) {
    await identity.rpc.gateway.updateProfile({ userId: t.agent.userId, name }, manages);
  }
  await identity.rpc.gateway.updateProfile({ userId: t.agent.userId, email: "other@x.example" }, manages);
  expect(await t.news(t.agent.userId)).toEqual([
    [1, ["REGISTERED"]],
    [2, ["NAME"]],
  ]);
  const renamed = await waitFor(() =>
    world.told.find((one) => one.customerId === t.agent.userId && one.revision === 2),
  );
  expect(renamed).toMatchObject({ isStaff: true, firstName: "Ada Agent", lastName: "", details: undefined });
});
