import { testDatabase } from "../../../test/support/index.js";
import { errorText } from "../text/error-text.js";
import { createLogger } from "./log.js";

function capture() {
  const lines: string[] = [];
  const log = createLogger({
    service: "wallet",
    level: "trace",
    destination: { write: (line) => void lines.push(line) },
  });
  return { log, text: () => lines.join(""), last: () => JSON.parse(lines.at(-1) ?? "") as Record<string, unknown> };
}

const secret = "s3cr3t-Value";

test("writes one JSON object a line with service, level, time and message", () => {
  const { log, last } = capture();
  log.child({ interactionId: "i-1" }).info({ amountMinor: 5n, at: new Date(0) }, "paid");
  expect(last()).toMatchObject({
    service: "wallet",
    level: "info",
    interactionId: "i-1",
    amountMinor: "5",
    at: "1970-01-01T00:00:00.000Z",
    msg: "paid",
  });
  expect(last()["time"]).toMatch(/^\d{4}-\d\d-\d\dT/);
});

test("prints no secret at any depth, in fields, maps, arrays, errors, bindings or messages", () => {
  const { log, text } = capture();
  for (const name of ["password", "currentPassword", "otp", "pin", "transactionPin", "token", "access_token"]) {
    log.info({ [name]: secret });
    log.info({ request: { list: [{ [name]: secret }], map: new Map([[name, secret]]) } });
    log.child({ request: { [name]: secret } }).info("bound");
    log.info(`refused body ${JSON.stringify({ [name]: secret })}`);
  }
  for (const name of [
    "Authorization",
    "X-Auth-Token",
    "userToken",
    "set-cookie",
    "clientSecret",
    "bvn",
    "privateJwk",
  ]) {
    log.warn({ headers: { [name]: secret } }, "headers");
    log.warn({ headers: { [name]: { nested: secret } } });
  }
  log.error(Object.assign(new Error("failed"), { metadata: { authorization: secret } }));
  log.error({ err: new Error("outer", { cause: Object.assign(new Error("inner"), { password: secret }) }) });
  expect(text()).toContain("failed");
  expect(text()).not.toContain(secret);
});

test("says each cause once, also where the message has it already", () => {
  const { log, text } = capture();
  const away = new Error("no such host");
  const wrapped = new Error("the key set: no such host", { cause: away });
  log.error({ err: wrapped }, "one");
  log.error({ err: new Error("cannot start", { cause: wrapped }) }, "two");
  const logged = text()
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { err: { message: string } }).err.message);
  expect(logged).toEqual(["the key set: no such host", "cannot start: the key set: no such host"]);
});

test("prints no token or password that slips into text", () => {
  const { log, text } = capture();
  log.info("token eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ1c2VyIn0.c2lnbmF0dXJl was refused");
  log.error(new Error("cannot reach mongodb://manilla:hunter2@db:27017/wallet"));
  expect(text()).not.toContain("eyJzdWIi");
  expect(text()).not.toContain("hunter2");
  expect(text()).toContain("mongodb://manilla:[redacted]@db:27017");
});

test("prints only the end of an account number", () => {
  const { log, text, last } = capture();
  log.info({ account: { accountNumber: "1002003004" }, bankaccountno: "0123456789", iban: "DE89370400440532013000" });
  expect(text()).not.toContain("1002003004");
  expect(text()).not.toContain("0123456789");
  expect(text()).not.toContain("DE893704");
  expect(last()["account"]).toEqual({ accountNumber: "***3004" });
});

test("survives circles, depth and bytes", () => {
  const { log, last } = capture();
  const circle: Record<string, unknown> = { bytes: new Uint8Array(5) };
  circle["self"] = circle;
  let deep: Record<string, unknown> = { end: true };
  for (let level = 0; level < 1_000; level++) deep = { deep };
  log.info({ circle, deep });
  expect(last()["circle"]).toEqual({ bytes: "[5 bytes]", self: "[circular]" });
});

test("keeps an error's type, message and stack", () => {
  const { log, last } = capture();
  log.error({ err: new TypeError("broken") }, "bug");
  expect(last()["err"]).toMatchObject({
    type: "TypeError",
    message: "broken",
    stack: expect.stringContaining("broken"),
  });
});

test("of a write that MongoDB refused nothing of the documents is printed", async () => {
  const { log, text } = capture();
  const { db, close } = await testDatabase("log_refused");
  const people = await db.db!.createCollection("people", { validator: { tenantId: { $nin: ["held"] } } });
  const documents = [{ tenantId: "held", nickname: secret }];
  const refusals: unknown[] = [
    await people.insertMany(documents).catch((thrown: unknown) => thrown),
    await people.insertOne(documents[0]!).catch((thrown: unknown) => thrown),
  ];
  expect(JSON.stringify(refusals)).toContain(secret);
  for (const err of refusals) log.warn({ err }, "refused");
  log.warn({ err: new Error("it failed", { cause: refusals[0] }), failures: refusals }, "refused");
  await close();
  expect(text()).not.toContain(secret);
  const { err } = JSON.parse(text().split("\n")[0]!) as { err: object };
  expect(err).toMatchObject({ type: "MongoBulkWriteError", code: 121 });
  expect(Object.keys(err).sort()).toEqual(["code", "message", "stack", "type"]);
});

test("of a violated unique index the index is printed and nothing that was stored, not as a cause and not in stacks", async () => {
  const { log, text } = capture();
  const { db, close } = await testDatabase("log");
  const people = db.db!.collection("people");
  await people.createIndex({ tenantId: 1, email: 1 }, { unique: true, name: "one_per_address" });
  const address = `zola} {\n${secret}@x.example`;
  await people.insertOne({ tenantId: "log", email: address });
  const error: unknown = await people.insertOne({ tenantId: "log", email: address }).catch((thrown: unknown) => thrown);
  const many: unknown = await people
    .insertMany([{ tenantId: "log", email: address }])
    .catch((thrown: unknown) => thrown);
  expect(JSON.stringify(error) + String(error)).toContain(secret);
  for (const err of [error, many, new Error("it failed", { cause: error })]) log.error({ err }, "not stored");
  log.error({ err: error, failures: [error] }, errorText(error));
  await close();
  expect(text()).not.toContain(secret);
  expect(text()).toContain("one_per_address");
  expect(text()).toContain("E11000");
  expect(JSON.parse(text().split("\n")[0]!).err).toMatchObject({ code: 11_000, type: "MongoServerError" });
});
