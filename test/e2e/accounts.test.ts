import { approveShown } from "../support/approve-shown.js";
import { readFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { createEdgeClient, demoUser, readDemo, services, type Demo, type EdgeClient } from "../support/edge-client.js";
import { waitFor } from "../support/index.js";

jest.setTimeout(120_000);

const given = "A-Given-Pass-1";
const password = "Correct-horse-42";
const security = `${services}/securitymanagement`;
const people = `${services}/usermanagement`;
let demo: Demo;
let partnerUrl: string;
let manager: EdgeClient;
let second: EdgeClient;
let agent: EdgeClient;

const newClient = () => createEdgeClient(demo.baseUrl);
const newNumber = () => `+23480${String(Math.floor(Math.random() * 1e8)).padStart(8, "0")}`;

beforeAll(async () => {
  demo = readDemo();
  const { addresses } = JSON.parse(readFileSync(`${process.env["E2E_DATA_DIR"]}/cluster.json`, "utf8"));
  partnerUrl = addresses.partner.startsWith("http") ? addresses.partner : `http://${addresses.partner}`;
  [manager, second, agent] = [newClient(), newClient(), newClient()];
  await manager.login(demoUser(demo, "MANAGER"));
  await second.login(demoUser(demo, "MANAGER", { email: "manager2" }));
  await agent.login(demoUser(demo, "AGENT"));
});

/** What was sent to somebody, the newest first, once one of them is like this. */
async function sent(to: string, like: RegExp, atLeast = 1): Promise<string> {
  const query = new URLSearchParams({ account: demo.tenants[0]!.id, to });
  const find = async () => {
    const answer = await fetch(`${partnerUrl}/control/inbox?${query.toString()}`);
    const { messages } = (await answer.json()) as { messages: { text: string }[] };
    const found = messages.filter(({ text }) => like.test(text));
    return found.length >= atLeast ? found[0]!.text : undefined;
  };
  return waitFor(find, { timeoutMs: 20_000, everyMs: 100, what: `a message to ${to} like ${String(like)}` });
}

const outcome = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];

async function newCustomer() {
  const email = `zola-${randomUUID().slice(0, 8)}@demo.example`;
  const phoneNumber = newNumber();
  const registered = await agent.send("POST", `${people}/register-customer`, {
    headers: { "x-idempotency-key": randomUUID() },
    body: { email, password: given, firstName: "Zola", lastName: "Bello", country: "NGA", phoneNumber },
  });
  expect(outcome(registered)).toEqual([200, undefined]);
  const client = newClient();
  await client.loginFirst({ email, password: given, ownPassword: password });
  const put = (path: string, body: object) => client.send("PUT", path, { body });
  const post = (path: string, body: object = {}) => client.send("POST", path, { body });
  let codes = 0;
  /** A code for a change, by text message. */
  const changeCode = async (change: string) => {
    expect(outcome(await post(`${security}/request-change-code`, { change, channel: "SMS" }))).toEqual([
      200,
      undefined,
    ]);
    codes += 1;
    return (await sent(phoneNumber, /^\d{6} is your code to change/, codes)).slice(0, 6);
  };
  const { customerId, userId } = registered.body.data as { customerId: string; userId: string };
  return { email, phoneNumber, customerId, userId, client, put, post, changeCode };
}

test("a PIN and a choice of factors do not fall with the password alone", async () => {
  const zola = await newCustomer();
  const setPin = (pin: string, proof = {}) => zola.put(`${security}/set-pin`, { password, pin, ...proof });
  const choose = (otp: boolean, pin: boolean, proof = {}) =>
    zola.put(`${security}/choose-second-factors`, { password, otp, pin, ...proof });
  expect(outcome(await setPin("2580"))).toEqual([200, undefined]);
  expect(outcome(await setPin("2581"))).toEqual([403, "PIN_REQUIRED"]);
  expect(outcome(await setPin("2581", { currentPin: "2580" }))).toEqual([200, undefined]);
  expect(outcome(await choose(true, true))).toEqual([200, undefined]);
  expect(outcome(await choose(false, true))).toEqual([403, "OTP_REQUIRED"]);
  expect(outcome(await choose(true, false))).toEqual([403, "PIN_REQUIRED"]);
  expect(outcome(await zola.post(`${security}/enrol-totp`, { password }))).toEqual([403, "OTP_REQUIRED"]);
  for (let miss = 0; miss < 5; miss++) {
    expect(outcome(await setPin("9753", { currentPin: "8642" }))).toEqual([403, "PIN_WRONG"]);
  }
  expect(outcome(await setPin("9753", { currentPin: "2581" }))).toEqual([403, "PIN_LOCKED"]);
  expect(outcome(await setPin("9753"))).toEqual([403, "PIN_REQUIRED"]);
  const byMail = await zola.post(`${security}/request-change-code`, { change: "PIN", channel: "EMAIL" });
  expect(outcome(byMail)).toEqual([409, "STATE_CONFLICT"]);
  expect(outcome(await setPin("9753", { currentOtp: await zola.changeCode("PIN") }))).toEqual([200, undefined]);
  const off = { currentOtp: await zola.changeCode("SECOND_FACTORS"), currentPin: "9753" };
  expect((await choose(false, false, off)).body.data).toMatchObject({ otpRequired: false, pinRequired: false });
  await sent(zola.email, /PIN of your account was set/, 3);
  await sent(zola.phoneNumber, /PIN of your account was set/, 3);
});

test("a new phone number counts once its code was entered, and compliance asks for it again", async () => {
  const zola = await newCustomer();
  const requirement = async () => {
    const { body } = await zola.client.send("GET", `${services}/compliance/customers/${zola.customerId}`);
    const all = body.data.requirements as { requirement: string; status: string }[];
    return all.find((one) => one.requirement === "PHONE_NUMBER")?.status;
  };
  await zola.post(`${services}/compliance/initiate-compliance-action`);
  const first = (await sent(zola.phoneNumber, /confirms your phone number/)).slice(0, 6);
  expect(outcome(await zola.post(`${services}/compliance/confirm-phone`, { code: first }))).toEqual([200, undefined]);
  expect(await requirement()).toBe("FULFILLED");

  const phoneNumber = newNumber();
  const change = (proof = {}) => zola.put(`${people}/update-profile`, { phoneNumber, password, ...proof });
  expect(outcome(await change())).toEqual([403, "OTP_REQUIRED"]);
  const requested = await change({ currentOtp: await zola.changeCode("CONTACT") });
  expect(requested.body.data).toMatchObject({
    customer: { phoneNumber: zola.phoneNumber },
    pendingContacts: [{ type: "PHONE_NUMBER" }],
  });
  await sent(zola.phoneNumber, /is to have another phone number/);
  await sent(zola.email, /is to have another phone number/);
  const payment = { payableType: "BILL", payAbleId: "b-1", totalCheckOutAmount: "25.00", currency: "USD" };
  expect(outcome(await zola.post(`${security}/request-payment-code`, { channel: "SMS", ...payment }))).toEqual([
    200,
    undefined,
  ]);
  await sent(zola.phoneNumber, /to pay 25.00 USD/);
  const code = (await sent(phoneNumber, /confirms this phone number/)).slice(0, 6);
  const confirm = (given: string) =>
    zola.post(`${people}/confirm-contact-change`, { type: "PHONE_NUMBER", code: given });
  expect(outcome(await confirm(code === "000000" ? "000001" : "000000"))).toEqual([422, "VERIFICATION_FAILED"]);
  expect(await requirement()).toBe("FULFILLED");
  expect((await confirm(code)).body.data).toMatchObject({ customer: { phoneNumber }, pendingContacts: [] });
  await sent(zola.phoneNumber, /phone number of your account was changed/);
  await waitFor(async () => (await requirement()) === "OUTSTANDING", { timeoutMs: 20_000, what: "compliance" });

  // Staff change it no other way.
  const byStaff = await agent.send("PUT", `${people}/users/${zola.userId}`, { body: { phoneNumber: newNumber() } });
  expect(byStaff.body.data).toMatchObject({ customer: { phoneNumber }, pendingContacts: [{ type: "PHONE_NUMBER" }] });
  await sent(phoneNumber, /is to have another phone number/);
});

test("staff take second factors away by two MANAGERs and a wait, which their owner may stop", async () => {
  const zola = await newCustomer();
  await zola.put(`${security}/set-pin`, { password, pin: "2580" });
  const body = { reason: "lost the telephone" };
  const requested = await manager.send("POST", `${people}/users/${zola.userId}/reset-second-factors`, { body });
  expect([requested.status, requested.body.data]).toEqual([202, expect.objectContaining({ state: "ASKED" })]);
  await sent(zola.phoneNumber, /Staff asked to take away/);
  const approve = (who: EdgeClient) => approveShown(who, requested.body.data.approvalId, { reason: "seen" });
  expect(outcome(await approve(manager))).toEqual([403, "FORBIDDEN"]);
  expect(outcome(await approve(second))).toEqual([200, undefined]);
  const factors = async () => (await zola.client.send("GET", `${security}/second-factors`)).body.data;
  const waits = async () => ((await factors()).reset?.state === "WAITING" ? await factors() : undefined);
  const waiting = await waitFor(waits, { timeoutMs: 20_000, what: "the reset to wait" });
  expect(waiting.pinSet).toBe(true);
  const hours = (Date.parse(waiting.reset.takesEffectAt) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(23.9);
  await sent(zola.email, /will be taken away at/);
  expect((await zola.post(`${security}/stop-second-factor-reset`)).body.data).toMatchObject({ pinSet: true });
  expect(outcome(await zola.post(`${security}/stop-second-factor-reset`))).toEqual([409, "STATE_CONFLICT"]);
});

describe("registering oneself", () => {
  const register = (email: string) =>
    newClient().send("POST", `${people}/register`, {
      headers: { "x-idempotency-key": randomUUID() },
      body: { email, password, firstName: "Yara", lastName: "Bello", country: "NGA" },
    });

  test("answers the same for a known address, which is written to, and makes an account by a code only", async () => {
    const zola = await newCustomer();
    const email = `yara-${randomUUID().slice(0, 8)}@demo.example`;
    const [known, unknown] = [await register(zola.email), await register(email)];
    const shape = ({ status, body }: typeof known) => [status, body.message, Object.keys(body.data)];
    expect(shape(known)).toEqual(shape(unknown));
    expect(unknown.status).toBe(202);
    await sent(zola.email, /has an account already/);
    const client = newClient();
    expect((await client.login({ email, password })).status).toBe(401);
    const code = (await sent(email, /^\d{6} is the code to open your account/)).slice(0, 6);
    const confirm = (registrationId: string, given: string) =>
      client.send("POST", `${people}/confirm-registration`, { body: { registrationId, code: given } });
    expect(outcome(await confirm(known.body.data.registrationId, code))).toEqual([422, "VERIFICATION_FAILED"]);
    const made = await confirm(unknown.body.data.registrationId, code);
    expect([made.status, made.body.data?.email]).toEqual([200, email]);
    expect((await client.login({ email, password })).status).toBe(200);
    // The code has shown the address: compliance does not ask for it again.
    const { customerId } = made.body.data;
    const isShown = async () => {
      const { body } = await client.send("GET", `${services}/compliance/customers/${customerId}`);
      const all = body.data.requirements as { requirement: string; status: string }[];
      return all.some(({ requirement, status }) => requirement === "EMAIL" && status === "FULFILLED");
    };
    await waitFor(isShown, { timeoutMs: 20_000, what: "compliance to hear of it" });
  });

  test("is paced: 429 with Retry-After, the same for a known and an unknown address", async () => {
    const zola = await newCustomer();
    const outcomes: unknown[] = [];
    for (const email of [zola.email, `nobody-${randomUUID()}@demo.example`]) {
      const answers = [];
      for (let each = 0; each < 6; each++) answers.push(await register(email));
      outcomes.push(answers.map(outcome));
      expect(Number(answers.at(-1)!.headers["retry-after"])).toBeGreaterThan(0);
    }
    expect(outcomes[0]).toEqual(outcomes[1]);
    expect((outcomes[0] as unknown[]).at(-1)).toEqual([429, "RATE_LIMITED"]);
  });
});
