import { decideAsShown } from "../../../test/support/asking-service.js";
import { waitFor } from "../../../test/support/index.js";
import { password } from "../../../test/support/identity-drafts.js";
import { inTenant, newTenant, startTestIdentity, type TestIdentity } from "../../../test/support/identity.js";

let identity: TestIdentity;
beforeAll(async () => {
  identity = await startTestIdentity();
});
afterAll(() => identity.stop());

const refused = (code: string) => expect.objectContaining({ code });
const wrong = (code: string) => (code === "000000" ? "000001" : "000000");
const [oldNumber, newNumber] = ["+2348012345678", "+2348099999999"];

/** A customer with a phone number, their agent, and two managers. */
async function people(change: Parameters<typeof newTenant>[1] = {}) {
  const tenant = await newTenant(identity, change);
  const agent = await tenant.staff("AGENT");
  await tenant.staff("MANAGER");
  await tenant.staff("MANAGER", "second");
  const amina = await tenant.customer("amina", { agentId: agent.userId });
  const tokens = new Map<string, string>();
  const signIn = async () => {
    for (const name of ["agent", "manager", "second", "amina"]) {
      tokens.set(name, (await tenant.login(name)).accessToken);
    }
  };
  await signIn();
  const as = (name: string) => inTenant(tenant.tenantId, tokens.get(name)!);
  const sent = () => identity.sent.filter(({ account }) => account === tenant.tenantId);
  const update = (request: object, who = "amina") => identity.rpc.gateway.updateProfile(request, as(who));
  const confirm = (code: string, more: object = {}) =>
    identity.rpc.gateway.confirmContactChange({ type: "PHONE_NUMBER", code, ...more }, as("amina"));
  const profile = async () => (await identity.rpc.gateway.getProfile({}, as("amina"))).profile!;
  /** The newest code for a change, sent to a contact that counts. */
  const changeCode = async (channel: "EMAIL" | "SMS", changes: "PIN" | "SECOND_FACTORS" | "CONTACT" = "CONTACT") => {
    const codes = () => sent().filter(({ text }) => text.includes("is your code to change"));
    const before = codes().length;
    const request = { change: `CHANGE_KIND_${changes}` as const, channel: `CODE_CHANNEL_${channel}` as const };
    await identity.rpc.gateway.requestChangeCode(request, as("amina"));
    return (await waitFor(() => codes()[before])).text.slice(0, 6);
  };
  /** The newest code that went to a new contact. */
  const contactCode = async (to: string) =>
    (await waitFor(() => sent().findLast((one) => one.to === to && one.text.includes("confirms this")))).text.slice(
      0,
      6,
    );
  const messaged = (part: string, to: string) =>
    waitFor(() => sent().some((one) => one.to === to && one.text.includes(part)));
  const published = async () => {
    const rows = await identity.db
      .collection("outbox")
      .find({ aggregate: `person:${amina.customerId}` })
      .sort({ seq: 1 })
      .toArray();
    return rows.map(({ seq, payload }) => [seq, payload.changed]);
  };
  return { ...tenant, amina, as, signIn, sent, update, confirm, profile, changeCode, contactCode, messaged, published };
}

const registered = [1, ["REGISTERED"]];

describe("a phone number of one's own", () => {
  test("counts once its code was entered; until then codes go to the one before, which is told", async () => {
    const t = await people();
    await expect(t.update({ phoneNumber: newNumber })).rejects.toEqual(refused("PASSWORD_REQUIRED"));
    await expect(t.update({ phoneNumber: newNumber, password })).rejects.toEqual(refused("OTP_REQUIRED"));
    const proof = { otp: await t.changeCode("SMS") };
    const requested = await t.update({ phoneNumber: newNumber, password, proof });
    expect(requested.profile).toMatchObject({
      customer: { phoneNumber: oldNumber },
      pending: [{ type: "PHONE_NUMBER", sentTo: "+234*******999" }],
    });
    await t.messaged("is to have another phone number", oldNumber);
    await t.messaged("is to have another phone number", "amina@x.example");
    const payment = { amount: { amountMinor: 2_500n, currency: "USD" }, payee: "TRANSACTION:tx-1" };
    const request = { payment, channel: "CODE_CHANNEL_SMS" as const };
    await identity.rpc.gateway.requestPaymentCode(request, t.as("amina"));
    await waitFor(() => t.sent().some(({ to, text }) => to === oldNumber && text.includes("to pay 25.00 USD")));
    const code = await t.contactCode(newNumber);
    await expect(t.confirm(wrong(code))).rejects.toEqual(refused("VERIFICATION_FAILED"));
    expect((await t.confirm(code)).profile).toMatchObject({ customer: { phoneNumber: newNumber }, pending: [] });
    await expect(t.confirm(code)).resolves.toMatchObject({ profile: { customer: { phoneNumber: newNumber } } });
    await t.messaged("phone number of your account was changed", oldNumber);
    await t.messaged("phone number of your account was changed", "amina@x.example");
    expect(t.sent().some(({ to, text }) => to === newNumber && text.includes("was changed"))).toBe(false);
    expect(await t.published()).toEqual([registered, [2, ["PHONE_NUMBER"]]]);
  });

  test("takes the PIN or a message where there is a PIN, and no mail, which resets the password", async () => {
    const t = await people();
    await identity.rpc.gateway.setPin({ pin: "2580", password }, t.as("amina"));
    await expect(t.update({ phoneNumber: newNumber, password })).rejects.toEqual(refused("PIN_REQUIRED"));
    await expect(t.changeCode("EMAIL")).rejects.toEqual(refused("STATE_CONFLICT"));
    await expect(t.update({ phoneNumber: newNumber, password, proof: { pin: "2581" } })).rejects.toEqual(
      refused("PIN_WRONG"),
    );
    await t.update({ phoneNumber: newNumber, password, proof: { pin: "2580" } });
    expect((await t.profile()).pending).toHaveLength(1);
    // Codes that payments ask for make it no weaker, by whomever they were switched on: then a mail
    // takes the PIN beside it.
    await identity.rpc.gateway.chooseFactors({ password, otp: true }, t.as("amina"));
    await expect(t.update({ phoneNumber: newNumber, password, proof: { pin: "2580" } })).rejects.toEqual(
      refused("OTP_REQUIRED"),
    );
    const otp = await t.changeCode("EMAIL");
    const byMail = (proof: object) => t.update({ phoneNumber: newNumber, password, proof: { otp, ...proof } });
    await expect(byMail({})).rejects.toEqual(refused("OTP_WRONG"));
    await expect(byMail({ pin: "2581" })).rejects.toEqual(refused("PIN_WRONG"));
    await expect(byMail({ pin: "2580" })).resolves.toBeDefined();
  });

  test("is tried five times, replaced by a newer one, and over after ten minutes", async () => {
    const t = await people();
    const ask = async (phoneNumber: string) =>
      t.update({ phoneNumber, password, proof: { otp: await t.changeCode("EMAIL") } });
    await ask(newNumber);
    const first = await t.contactCode(newNumber);
    await ask("+2348011111111");
    const second = await t.contactCode("+2348011111111");
    if (first !== second) await expect(t.confirm(first)).rejects.toEqual(refused("VERIFICATION_FAILED"));
    for (let miss = 0; miss < 5; miss++) await t.confirm(wrong(second)).catch(() => undefined);
    await expect(t.confirm(second)).rejects.toEqual(refused("VERIFICATION_FAILED"));
    await ask(newNumber);
    const third = await t.contactCode(newNumber);
    identity.passMs(10 * 60_000);
    await expect(t.confirm(third)).rejects.toEqual(refused("VERIFICATION_FAILED"));
    expect((await t.profile()).customer!.phoneNumber).toBe(oldNumber);
  });

  test("is taken away by its owner with a proof; whoever had it is told", async () => {
    const t = await people();
    await expect(t.update({ phoneNumber: "", password })).rejects.toEqual(refused("OTP_REQUIRED"));
    const byStaff = t.update({ userId: t.amina.userId, phoneNumber: "" }, "agent");
    await expect(byStaff).rejects.toEqual(refused("INVALID_INPUT"));
    await t.update({ phoneNumber: "", password, proof: { otp: await t.changeCode("SMS") } });
    expect((await t.profile()).customer!.phoneNumber).toBe("");
    await t.messaged("phone number of your account was removed", oldNumber);
    expect(await t.published()).toEqual([registered, [2, ["PHONE_NUMBER"]]]);
  });
});

describe("an e-mail address", () => {
  const ask = async (t: Awaited<ReturnType<typeof people>>, email: string) =>
    t.update({ email, password, proof: { otp: await t.changeCode("SMS") } });

  test("is what one logs in with once its code was entered; resets that went to the old one are over", async () => {
    const t = await people();
    await ask(t, "amina2@x.example");
    await identity.rpc.gateway.requestPasswordReset({ email: "amina@x.example" }, inTenant(t.tenantId));
    const mail = await waitFor(() => t.sent().find(({ text }) => text.includes("reset token")));
    const token = /token: (\S+)/.exec(mail.text)![1]!;
    await t.confirm(await t.contactCode("amina2@x.example"), { type: "EMAIL" });
    await t.messaged("e-mail address of your account was changed", "amina@x.example");
    await t.messaged("e-mail address of your account was changed", oldNumber);
    await expect(t.login("amina2")).resolves.toMatchObject({ user: { userId: t.amina.userId } });
    await expect(t.login("amina")).rejects.toEqual(refused("LOGIN_FAILED"));
    const reset = { token, newPassword: "another-horse-8" };
    const late = identity.rpc.gateway.resetPassword(reset, inTenant(t.tenantId));
    await expect(late).rejects.toEqual(refused("UNAUTHENTICATED"));
    expect(await t.published()).toEqual([registered, [2, ["EMAIL"]]]);
  });

  test("of somebody else gets the same answer, no code, and its owner a word", async () => {
    const t = await people();
    const [taken, free] = [await ask(t, "Agent@x.example"), await ask(t, "nobody@x.example")];
    expect(taken.profile!.pending).toHaveLength(1);
    expect(free.profile!.pending).toHaveLength(1);
    const mail = await waitFor(() => t.sent().find(({ to }) => to === "Agent@x.example"));
    expect(mail.text).not.toMatch(/^\d{6}/);
  });

  test("of staff is changed the same way", async () => {
    const t = await people();
    const call = t.as("agent");
    const request = { change: "CHANGE_KIND_CONTACT" as const, channel: "CODE_CHANNEL_EMAIL" as const };
    await identity.rpc.gateway.requestChangeCode(request, call);
    const mail = await waitFor(() => t.sent().find(({ text }) => text.includes("is your code to change")));
    const change = { email: "agent2@x.example", password, proof: { otp: mail.text.slice(0, 6) } };
    await identity.rpc.gateway.updateProfile(change, call);
    const code = await t.contactCode("agent2@x.example");
    const { profile } = await identity.rpc.gateway.confirmContactChange({ type: "EMAIL", code }, call);
    expect(profile!.user).toMatchObject({ email: "agent2@x.example" });
  });
});

test("what staff change of a customer counts once the customer has entered its code, with something enrolled", async () => {
  const t = await people();
  const requested = await t.update({ userId: t.amina.userId, phoneNumber: newNumber }, "agent");
  expect(requested.profile!.customer!.phoneNumber).toBe(oldNumber);
  await t.messaged("is to have another phone number", oldNumber);
  const code = await t.contactCode(newNumber);
  await expect(t.confirm(code)).rejects.toEqual(refused("PASSWORD_REQUIRED"));
  await expect(t.confirm(code, { password })).rejects.toEqual(refused("OTP_REQUIRED"));
  const proof = { otp: await t.changeCode("EMAIL") };
  await t.confirm(code, { password, proof });
  expect((await t.profile()).customer!.phoneNumber).toBe(newNumber);
  // A name that staff change counts at once, and is asked for anew; the same name again is no
  // change.
  for (const firstName of ["Aminata", "Aminata"]) await t.update({ userId: t.amina.userId, firstName }, "agent");
  expect(await t.published()).toEqual([registered, [2, ["PHONE_NUMBER"]], [3, ["NAME"]]]);
});

describe("a reset of second factors", () => {
  const day = 24 * 3_600_000;
  async function requested() {
    const t = await people();
    await identity.rpc.gateway.setPin({ pin: "2580", password }, t.as("amina"));
    const request = { userId: t.amina.userId, reason: "lost the telephone" };
    const reset = await identity.rpc.gateway.resetFactors(request, t.as("manager"));
    const resolve = (who: string, approve = true) =>
      decideAsShown(identity.rpc.gateway, { approvalId: reset.approvalId, approve, reason: "seen" }, t.as(who));
    const factors = async () => (await identity.rpc.gateway.getUserFactors({}, t.as("amina"))).factors!;
    const stop = () => identity.rpc.gateway.stopFactorReset({}, t.as("amina"));
    const until = (state: string) => waitFor(async () => (await factors()).resetState === state);
    return { ...t, request, reset, resolve, factors, stop, until };
  }

  test("takes another MANAGER and a day, and its owner is told each time", async () => {
    const t = await requested();
    expect(t.reset).toMatchObject({ state: "ASKED", resetAt: undefined });
    for (const [who, code] of [
      ["agent", "FORBIDDEN"],
      ["amina", "FORBIDDEN"],
    ] as const) {
      await expect(identity.rpc.gateway.resetFactors(t.request, t.as(who))).rejects.toEqual(refused(code));
    }
    // Asked for again it is the same one.
    await expect(identity.rpc.gateway.resetFactors(t.request, t.as("second"))).resolves.toEqual(t.reset);
    await t.messaged("Staff asked to take away", oldNumber);
    await t.messaged("Staff asked to take away", "amina@x.example");
    await expect(t.resolve("manager")).rejects.toEqual(refused("FORBIDDEN"));
    const { approvalId } = t.reset;
    const read = await identity.rpc.gateway.getApproval({ approvalId, withEffects: true }, t.as("second"));
    expect(read.approval!.effects).toEqual([
      {
        kind: "FACTORS_TAKEN_AWAY",
        subject: `user:${t.amina.userId}`,
        amount: undefined,
        change: { field: "pin", before: "SET_UP", after: "", currency: "" },
      },
    ]);
    const older = { approvalId, approve: true, reason: "seen", digest: "0" };
    await expect(identity.rpc.gateway.resolveApproval(older, t.as("second"))).rejects.toEqual(
      refused("APPROVAL_CHANGED"),
    );
    await t.resolve("second");
    await t.until("WAITING");
    await t.messaged("will be taken away at", oldNumber);
    expect((await t.factors()).pinSet).toBe(true);
    identity.passMs(day);
    await t.signIn();
    await t.until("");
    expect(await t.factors()).toMatchObject({ pinSet: false, totpEnrolled: false });
    await t.messaged("were taken away", oldNumber);
    // What is left after it: a contact that staff change, by its code and the password.
    await t.update({ userId: t.amina.userId, phoneNumber: newNumber }, "agent");
    await t.confirm(await t.contactCode(newNumber), { password });
    expect((await t.profile()).customer!.phoneNumber).toBe(newNumber);
  });

  test("is stopped by its owner while it is asked for and while it waits", async () => {
    const t = await requested();
    expect((await t.stop()).factors).toMatchObject({ pinSet: true, resetState: "" });
    await t.resolve("second");
    await expect(t.stop()).rejects.toEqual(refused("STATE_CONFLICT"));
    const again = await identity.rpc.gateway.resetFactors(t.request, t.as("manager"));
    const { approvalId } = again;
    await decideAsShown(identity.rpc.gateway, { approvalId, approve: true, reason: "seen" }, t.as("second"));
    await t.until("WAITING");
    await t.stop();
    identity.passMs(day);
    await t.signIn();
    await t.messaged("was stopped", "amina@x.example");
    expect((await t.factors()).pinSet).toBe(true);
  });

  test("that is refused is over", async () => {
    const t = await requested();
    await t.resolve("second", false);
    await t.until("");
    expect((await t.factors()).pinSet).toBe(true);
  });

  test("of the operator waits as well", async () => {
    const t = await people();
    await identity.rpc.gateway.setPin({ pin: "2580", password }, t.as("amina"));
    const request = { userId: t.amina.userId, reason: "asked by letter" };
    const reset = await identity.rpc.operator.resetFactors(request, inTenant(t.tenantId));
    expect(reset).toMatchObject({ state: "WAITING", approvalId: "", resetAt: expect.any(Date) });
  });
});
