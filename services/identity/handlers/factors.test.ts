import { mongo } from "mongoose";
import { Secret, TOTP } from "otpauth";
import { waitFor } from "../../../test/support/index.js";
import { password } from "../../../test/support/identity-drafts.js";
import { inTenant, newTenant, startTestIdentity, type TestIdentity } from "../../../test/support/identity.js";
import { maskAddress, parsePin } from "../domain/factors.js";

let identity: TestIdentity;
let shiftMs = 0;
beforeAll(async () => {
  identity = await startTestIdentity();
});
afterAll(() => identity.stop());

const refused = (code: string) => expect.objectContaining({ code });
const codeNow = (secret: string) =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + shiftMs });
const pass = (ms: number) => {
  shiftMs += ms;
  identity.passMs(ms);
};
const wrong = (code: string) => (code === "000000" ? "000001" : "000000");
const payment = { amount: { amountMinor: 2_500n, currency: "USD" }, payee: "TRANSACTION:tx-1" };

async function person(change: Parameters<typeof newTenant>[1] = {}) {
  const tenant = await newTenant(identity, change);
  const amina = await tenant.customer("amina");
  const { accessToken } = await tenant.login("amina");
  const notices = () => identity.sent.filter(({ account }) => account === tenant.tenantId);
  const codes = () => notices().filter(({ text }) => /^\d{6} is your code/.test(text));
  const call = () => inTenant(tenant.tenantId, accessToken);
  const verify = (given: object) =>
    identity.rpc.wallet.verifyCredentials({ userId: amina.userId, password, payment, ...given }, call());
  const isOtpRequired = change.secondFactors?.otp ?? false;
  const begin = async () => {
    const proof = isOtpRequired ? { otp: await changeCode("SECOND_FACTORS", "EMAIL") } : {};
    return identity.rpc.gateway.enrolTotp({ password, proof }, call());
  };
  const enrol = async () => {
    const { secret } = await begin();
    await identity.rpc.gateway.confirmTotp({ otp: codeNow(secret) }, call());
    pass(30_000);
    return secret;
  };
  const sentCode = async (about = payment, channel: "EMAIL" | "SMS" = "EMAIL") => {
    const before = codes().length;
    await identity.rpc.gateway.requestPaymentCode(
      { payment: about, channel: `CODE_CHANNEL_${channel}` as const },
      call(),
    );
    const message = await waitFor(() => codes()[before]);
    return { message, code: /^(\d{6}) is your code/.exec(message.text)![1]! };
  };
  const changeCode = async (change: "PIN" | "SECOND_FACTORS" | "CONTACT", channel: "EMAIL" | "SMS") => {
    const before = codes().length;
    const request = { change: `CHANGE_KIND_${change}` as const, channel: `CODE_CHANNEL_${channel}` as const };
    await identity.rpc.gateway.requestChangeCode(request, call());
    return (await waitFor(() => codes()[before])).text.slice(0, 6);
  };
  /** Who was told of something that was done, by channel. */
  const messages = (part: string) =>
    waitFor(() => {
      const found = notices().filter(({ text }) => text.includes(part));
      const channels = new Set(found.map(({ channel }) => channel));
      return channels.size === 2 ? found.map(({ to }) => to) : undefined;
    });
  return { ...tenant, amina, call, verify, begin, enrol, sentCode, changeCode, told: messages };
}

describe("an authenticator", () => {
  test("counts once it was confirmed, and each code works once", async () => {
    const t = await person({ secondFactors: { otp: true, pin: false } });
    const { secret, otpauthUri } = await t.begin();
    expect(otpauthUri).toContain(`secret=${secret}`);
    await expect(t.verify({ password: "" })).rejects.toEqual(refused("PASSWORD_REQUIRED"));
    await expect(t.verify({ otp: codeNow(secret) })).rejects.toEqual(refused("OTP_WRONG"));
    await identity.rpc.gateway.confirmTotp({ otp: codeNow(secret) }, t.call());
    await expect(t.verify({ otp: codeNow(secret) })).rejects.toEqual(refused("OTP_WRONG"));
    pass(30_000);
    const otp = codeNow(secret);
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => t.verify({ otp })));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("is kept sealed, and is not replaced while it is in use", async () => {
    const t = await person();
    const secret = await t.enrol();
    const stored = await identity.db.collection("users").findOne({ "customer.id": t.amina.customerId });
    expect(JSON.stringify(stored)).not.toContain(secret);
    await expect(identity.rpc.gateway.enrolTotp({ password }, t.call())).rejects.toEqual(refused("STATE_CONFLICT"));
    const remove = (given: { password: string; otp: string }) => identity.rpc.gateway.removeTotp(given, t.call());
    await expect(remove({ password: "wrong-horse-1", otp: codeNow(secret) })).rejects.toEqual(
      refused("PASSWORD_WRONG"),
    );
    await expect(remove({ password, otp: "" })).rejects.toEqual(refused("OTP_REQUIRED"));
    const { factors } = await remove({ password, otp: codeNow(secret) });
    expect(factors!.totpEnrolled).toBe(false);
    await expect(remove({ password, otp: "123456" })).rejects.toEqual(refused("STATE_CONFLICT"));
    const confirm = identity.rpc.gateway.confirmTotp({ otp: "123456" }, t.call());
    await expect(confirm).rejects.toEqual(refused("STATE_CONFLICT"));
  });

  test("is guessed with growing waits", async () => {
    const t = await person({ secondFactors: { otp: true, pin: false } });
    const secret = await t.enrol();
    for (let guess = 0; guess < 5; guess++) {
      await expect(t.verify({ otp: wrong(codeNow(secret)) })).rejects.toEqual(refused("OTP_WRONG"));
    }
    pass(0);
    const codes = new Set<string>();
    for (let guess = 0; guess < 4; guess++) {
      await t.verify({ otp: wrong(codeNow(secret)) }).catch(({ code }: { code: string }) => codes.add(code));
    }
    expect(codes).toContain("RATE_LIMITED");
  });
});

describe("a code that was sent", () => {
  test("pays this amount to this payee, once", async () => {
    const t = await person({ secondFactors: { otp: true, pin: false } });
    const { message, code } = await t.sentCode();
    expect(message).toMatchObject({ channel: "EMAIL", to: "amina@x.example" });
    expect(message.text).toContain("25.00 USD to TRANSACTION:tx-1");
    for (const other of [
      { ...payment, amount: { amountMinor: 2_501n, currency: "USD" } },
      { ...payment, amount: { amountMinor: 2_500n, currency: "NGN" } },
      { ...payment, payee: "TRANSACTION:tx-2" },
    ]) {
      await expect(t.verify({ otp: code, payment: other })).rejects.toEqual(refused("OTP_WRONG"));
    }
    await expect(t.verify({ otp: code })).resolves.toEqual({});
    await expect(t.verify({ otp: code })).rejects.toEqual(refused("OTP_WRONG"));
  });

  test("goes by text message where there is a number, and ends after five minutes", async () => {
    const t = await person({ secondFactors: { otp: true, pin: false } });
    const { message, code } = await t.sentCode(payment, "SMS");
    expect(message).toMatchObject({ channel: "SMS", to: "+2348012345678" });
    pass(5 * 60_000);
    await expect(t.verify({ otp: code })).rejects.toEqual(refused("OTP_WRONG"));
  });

  test("is nowhere in the database or the log", async () => {
    const t = await person({ secondFactors: { otp: true, pin: false } });
    const { code } = await t.sentCode();
    for (const collection of ["payment_codes", "outbox"]) {
      const rows = await identity.db.collection(collection).find({ tenantId: t.tenantId }).toArray();
      expect(rows.length).toBeGreaterThan(0);
      expect(JSON.stringify(rows)).not.toContain(`"${code}"`);
      expect(JSON.stringify(rows)).not.toContain("x.example");
    }
    expect(identity.lines.join("")).not.toContain(`${code} is your code`);
  });

  test("is sent five times at most before one has to wait", async () => {
    const t = await person();
    for (let each = 0; each < 5; each++) await t.sentCode();
    const sixth = identity.rpc.gateway.requestPaymentCode({ payment, channel: "CODE_CHANNEL_EMAIL" }, t.call());
    await expect(sixth).rejects.toEqual(refused("RATE_LIMITED"));
  });

  test("counts for nothing where it could not be written", async () => {
    const t = await person();
    const ask = () => identity.rpc.gateway.requestPaymentCode({ payment, channel: "CODE_CHANNEL_EMAIL" }, t.call());
    const failing = async (times: number) => {
      const away = jest.spyOn(mongo.Collection.prototype, "insertOne");
      away.mockRejectedValue(new mongo.MongoNetworkError("away"));
      try {
        for (let each = 0; each < times; each++) await expect(ask()).rejects.toEqual(refused("UNAVAILABLE"));
      } finally {
        away.mockRestore();
      }
    };
    await failing(6);
    for (let each = 0; each < 5; each++) await t.sentCode();
    await expect(ask()).rejects.toEqual(refused("RATE_LIMITED"));
    // Nor does one of those that come after a wait cost another wait.
    pass(60_000);
    await failing(1);
    await t.sentCode();
    await expect(ask()).rejects.toEqual(refused("RATE_LIMITED"));
  });

  test.each([
    [{ payment: undefined }],
    [{ channel: "CODE_CHANNEL_UNSPECIFIED" as const }],
    [{ payment: { ...payment, payee: "" } }],
    [{ payment: { payee: "x" } }],
  ])("is not sent for %j", async (change) => {
    const t = await person();
    const request = { payment, channel: "CODE_CHANNEL_EMAIL" as const, ...change };
    const call = identity.rpc.gateway.requestPaymentCode(request as never, t.call());
    await expect(call).rejects.toEqual(refused("INVALID_INPUT"));
  });
});

describe("a PIN", () => {
  test.each(["1234", "4321", "0000", "123", "123456789", "12a4", ""])("%p is refused", (pin) => {
    expect(() => parsePin(pin)).toThrow(refused("INVALID_INPUT") as never);
  });

  test("locks after five misses, however many guess at once, until it is set anew by a code to the phone", async () => {
    const t = await person({ secondFactors: { otp: false, pin: true } });
    const setPin = (pin: string, proof: { otp?: string; pin?: string }, given = password) =>
      identity.rpc.gateway.setPin({ pin, password: given, proof }, t.call());
    await expect(t.verify({ pin: "2580" })).rejects.toEqual(refused("PIN_REQUIRED"));
    // The tenant asks for one, so that whoever has the password alone cannot give themself one.
    await expect(setPin("2580", {})).rejects.toEqual(refused("OTP_REQUIRED"));
    const first = await t.changeCode("PIN", "EMAIL");
    await expect(setPin("2580", { otp: first }, "wrong-horse-1")).rejects.toEqual(refused("PASSWORD_WRONG"));
    expect((await setPin("2580", { otp: first })).factors).toMatchObject({
      pinSet: true,
      pinLocked: false,
      pinRequired: true,
    });
    await expect(t.verify({ pin: "" })).rejects.toEqual(refused("PIN_REQUIRED"));
    await expect(t.verify({ pin: "2580" })).resolves.toEqual({});
    const codes = await Promise.all(
      Array.from({ length: 12 }, () => t.verify({ pin: "2581" }).catch(({ code }: { code: string }) => code)),
    );
    expect(codes.filter((code) => code === "PIN_WRONG")).toHaveLength(5);
    expect(codes.filter((code) => code === "PIN_LOCKED")).toHaveLength(7);
    await expect(t.verify({ pin: "2580" })).rejects.toEqual(refused("PIN_LOCKED"));
    expect((await identity.rpc.gateway.getUserFactors({}, t.call())).factors!.pinLocked).toBe(true);
    // A locked PIN falls neither to the password nor to itself, nor to a mail, which resets the
    // password.
    await expect(setPin("2581", {})).rejects.toEqual(refused("PIN_REQUIRED"));
    await expect(setPin("2581", { pin: "2580" })).rejects.toEqual(refused("PIN_LOCKED"));
    await expect(t.changeCode("PIN", "EMAIL")).rejects.toEqual(refused("STATE_CONFLICT"));
    const code = await t.changeCode("PIN", "SMS");
    await expect(setPin("2581", { otp: wrong(code) })).rejects.toEqual(refused("OTP_WRONG"));
    await setPin("2581", { otp: code });
    await expect(setPin("2582", { otp: code })).rejects.toEqual(refused("OTP_WRONG"));
    await expect(t.verify({ pin: "2581" })).resolves.toEqual({});
  });

  test("is replaced by the one before, of two at the same time by one, and its owner is told by mail and message", async () => {
    const t = await person();
    const setPin = (pin: string, current?: string) =>
      identity.rpc.gateway.setPin({ pin, password, ...(current && { proof: { pin: current } }) }, t.call());
    await setPin("2580");
    await expect(setPin("2581")).rejects.toEqual(refused("PIN_REQUIRED"));
    await expect(setPin("2581", "9753")).rejects.toEqual(refused("PIN_WRONG"));
    const outcomes = await Promise.allSettled([setPin("2581", "2580"), setPin("2582", "2580")]);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(new Set(await t.told("PIN of your account was set"))).toEqual(
      new Set(["+2348012345678", "amina@x.example"]),
    );
  });

  test("that is right forgets the misses before it", async () => {
    const t = await person();
    await identity.rpc.gateway.setPin({ pin: "2580", password }, t.call());
    await identity.rpc.gateway.chooseFactors({ password, pin: true }, t.call());
    for (let round = 0; round < 3; round++) {
      for (let miss = 0; miss < 4; miss++)
        await expect(t.verify({ pin: "2581" })).rejects.toEqual(refused("PIN_WRONG"));
      await expect(t.verify({ pin: "2580" })).resolves.toEqual({});
    }
  });
});

describe("what is asked for", () => {
  test("is what the tenant or the user wants, all of it, and nothing where nobody does", async () => {
    const t = await person();
    await expect(t.verify({})).resolves.toEqual({});
    const choose = (given = password) =>
      identity.rpc.gateway.chooseFactors({ password: given, otp: true, pin: true }, t.call());
    await expect(choose("wrong-horse-1")).rejects.toEqual(refused("PASSWORD_WRONG"));
    expect((await choose()).factors).toMatchObject({ otpRequired: true, pinRequired: true });
    const proof = { otp: await t.changeCode("PIN", "EMAIL") };
    await identity.rpc.gateway.setPin({ pin: "2580", password, proof }, t.call());
    await expect(t.verify({ pin: "2580" })).rejects.toEqual(refused("OTP_REQUIRED"));
    const { code } = await t.sentCode();
    await expect(t.verify({ otp: code })).rejects.toEqual(refused("PIN_REQUIRED"));
    await expect(t.verify({ otp: code, pin: "2580", password: "" })).rejects.toEqual(refused("PASSWORD_REQUIRED"));
    // What failed before it has not used the code up.
    await expect(t.verify({ otp: code, pin: "2581" })).rejects.toEqual(refused("PIN_WRONG"));
    await expect(t.verify({ otp: code, pin: "2580", password: "wrong-horse-1" })).rejects.toEqual(
      refused("PASSWORD_WRONG"),
    );
    await expect(t.verify({ otp: code, pin: "2580" })).resolves.toEqual({});
  });

  test("remittance asks for the password alone", async () => {
    const t = await person({ secondFactors: { otp: true, pin: true } });
    const call = identity.rpc.remittance.verifyCredentials({ userId: t.amina.userId, password }, t.call());
    await expect(call).resolves.toEqual({});
  });

  test("is switched off by what is switched off, on by the password", async () => {
    const t = await person();
    const choose = (otp: boolean, pin: boolean, proof = {}) =>
      identity.rpc.gateway.chooseFactors({ password, otp, pin, proof }, t.call());
    await identity.rpc.gateway.setPin({ pin: "2580", password }, t.call());
    await choose(true, true);
    await expect(choose(false, true)).rejects.toEqual(refused("OTP_REQUIRED"));
    await expect(choose(false, true, { pin: "2580" })).rejects.toEqual(refused("OTP_REQUIRED"));
    await expect(choose(true, false)).rejects.toEqual(refused("PIN_REQUIRED"));
    const otp = await t.changeCode("SECOND_FACTORS", "SMS");
    await expect(choose(false, false, { otp })).rejects.toEqual(refused("PIN_REQUIRED"));
    const both = { otp: await t.changeCode("SECOND_FACTORS", "SMS"), pin: "2580" };
    expect((await choose(false, false, both)).factors).toMatchObject({ otpRequired: false, pinRequired: false });
    expect(await t.told("asks for at payments was changed")).toContain("+2348012345678");
  });

  test("is not got round by an authenticator of whoever has the password, or a code for something else", async () => {
    const t = await person({ secondFactors: { otp: true, pin: false } });
    const enrol = (proof = {}) => identity.rpc.gateway.enrolTotp({ password, proof }, t.call());
    await expect(enrol()).rejects.toEqual(refused("OTP_REQUIRED"));
    await expect(enrol({ otp: await t.changeCode("PIN", "EMAIL") })).rejects.toEqual(refused("OTP_WRONG"));
    await expect(enrol({ otp: (await t.sentCode()).code })).rejects.toEqual(refused("OTP_WRONG"));
    await expect(enrol({ otp: await t.changeCode("SECOND_FACTORS", "EMAIL") })).resolves.toBeDefined();
  });
});

describe("logging in with an authenticator", () => {
  const logIn = (tenantId: string, name: string, otp = "") =>
    identity.rpc.gateway.login({ email: `${name}@x.example`, currentPassword: password, otp }, inTenant(tenantId));

  test("is required of staff where the tenant says so, who enrol by their password and are confirmed by their first code", async () => {
    const t = await newTenant(identity, { staffTotpRequired: true });
    await t.staff("CASHIER");
    await t.customer("amina");
    await expect(logIn(t.tenantId, "amina")).resolves.toBeDefined();
    await expect(logIn(t.tenantId, "cashier")).rejects.toEqual(refused("OTP_REQUIRED"));
    const enrol = (email: string, given = password) =>
      identity.rpc.gateway.enrolTotp({ email: `${email}@x.example`, password: given }, inTenant(t.tenantId));
    await expect(enrol("cashier", "wrong-horse-1")).rejects.toEqual(refused("LOGIN_FAILED"));
    await expect(enrol("amina")).rejects.toEqual(refused("UNAUTHENTICATED"));
    const { secret } = await enrol("cashier");
    await expect(logIn(t.tenantId, "cashier", wrong(codeNow(secret)))).rejects.toEqual(refused("OTP_WRONG"));
    const otp = codeNow(secret);
    await expect(logIn(t.tenantId, "cashier", otp)).resolves.toBeDefined();
    await expect(logIn(t.tenantId, "cashier", otp)).rejects.toEqual(refused("OTP_WRONG"));
    await expect(enrol("cashier")).rejects.toEqual(refused("STATE_CONFLICT"));
  });

  test("is required of staff who have one, and of nobody else", async () => {
    const t = await newTenant(identity);
    await t.staff("CASHIER");
    const { accessToken } = await t.login("cashier");
    const call = inTenant(t.tenantId, accessToken);
    const { secret } = await identity.rpc.gateway.enrolTotp({ password }, call);
    await expect(logIn(t.tenantId, "cashier")).resolves.toBeDefined();
    await identity.rpc.gateway.confirmTotp({ otp: codeNow(secret) }, call);
    await expect(logIn(t.tenantId, "cashier")).rejects.toEqual(refused("OTP_REQUIRED"));
    pass(30_000);
    await expect(logIn(t.tenantId, "cashier", codeNow(secret))).resolves.toBeDefined();
    const enrol = identity.rpc.gateway.enrolTotp({ email: "cashier@x.example", password }, inTenant(t.tenantId));
    await expect(enrol).rejects.toEqual(refused("UNAUTHENTICATED"));
  });
});

test("an address is told with most of it hidden", () => {
  expect(maskAddress("amina@x.example")).toBe("a***@x.example");
  expect(maskAddress("+2348012345678")).toBe("+234*******678");
});
