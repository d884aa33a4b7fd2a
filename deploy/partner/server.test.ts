import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { signCallback } from "./callbacks.js";
import { startPartner } from "./server.js";
import { samplePartiesOf } from "../../test/support/order-parties.js";
import { pause } from "../../test/support/time.js";
import { waitFor } from "../../test/support/index.js";

const apiKey = "test-key-of-the-sandbox";
const callbackSecret = `whsec_${Buffer.from("a secret of the sandbox").toString("base64")}`;

type Partner = Awaited<ReturnType<typeof startPartner>>;

interface Published {
  headers: IncomingHttpHeaders;
  body: string;
}

/** Listens for callbacks; `failing` of them are answered 500 first. */
async function startListener(failing = 0) {
  const published: Published[] = [];
  let left = failing;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      published.push({ headers: request.headers, body: Buffer.concat(chunks).toString("utf8") });
      response.statusCode = left > 0 ? 500 : 204;
      left -= 1;
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
  return { published, url, stop: () => new Promise((resolve) => server.close(resolve)) };
}

describe("the sandbox payout network", () => {
  let partner: Partner;
  let booksFile: string;
  const config = () => ({
    host: "127.0.0.1",
    port: 0,
    booksFile,
    apiKey,
    callbackSecret,
    settleMs: 20,
    windowMs: 1_000,
  });

  beforeEach(async () => {
    booksFile = join(await mkdtemp(join(tmpdir(), "partner-")), "books.db");
    partner = await startPartner(config());
  });
  afterEach(() => partner.stop());

  async function send(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
    const init: RequestInit = {
      method,
      headers: { authorization: `Bearer ${apiKey}`, "x-account": "demo", ...headers },
      signal: AbortSignal.timeout(3_000),
    };
    if (body !== undefined) init.body = JSON.stringify(body);
    const response = await fetch(`http://127.0.0.1:${partner.port}${path}`, init);
    return { status: response.status, body: (await response.json()) as Record<string, any> };
  }

  const order = (reference: string, callbackUrl = "") => ({
    reference,
    amount: "152575.00",
    currency: "NGN",
    method: "ACCOUNTPAYMENT",
    creditParty: { bankaccountno: "3001234567", accountholdername: "Chidi Okafor", bankcode: "011" },
    callbackUrl,
  });
  const force = (rule: object) => send("POST", "/control/rules", rule);

  async function until(reference: string, status: string): Promise<Record<string, any>> {
    for (let attempt = 0; attempt < 100; attempt += 1) {
      const { body } = await send("GET", `/v1/payouts/${reference}`);
      if (body["status"] === status) return body;
      await pause(30);
    }
    throw new Error(`${reference} never became ${status}`);
  }

  test("pays a reference once, however often and at once it is asked", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => send("POST", "/v1/payouts", order("r-1"))));
    expect(new Set(answers.map(({ body }) => body["payoutId"])).size).toBe(1);
    await until("r-1", "PAID");
    const { body } = await send("GET", "/v1/statement");
    expect(body["lines"]).toEqual([
      expect.objectContaining({ reference: "r-1", kind: "PAYOUT", amount: "152575.00", currency: "NGN" }),
    ]);
  });

  test("refuses a reference that stands for another payout", async () => {
    await send("POST", "/v1/payouts", order("r-1"));
    expect((await send("POST", "/v1/payouts", { ...order("r-1"), amount: "1.00" })).status).toBe(409);
  });

  test("puts right who is paid while nobody has the money, once for each id, and as a rule says", async () => {
    const parties = samplePartiesOf("0f8fad5bd9cb469fa16570867728950e");
    const { originator, beneficiary } = parties;
    const amend = (reference: string, amendmentId: string, change: object) =>
      send("POST", `/v1/payouts/${reference}/amendments`, {
        amendmentId,
        beneficiary: { ...beneficiary, ...change },
        reason: "a name was misspelled",
      });
    const recorded = async () => (await send("GET", "/v1/payouts/r-1")).body;
    await force({ of: "PAYOUT", behaviour: "STALL" });
    for (const _time of [1, 2]) await send("POST", "/v1/payouts", { ...order("r-1"), ...parties });
    expect(await recorded()).toMatchObject({ originator, beneficiary });
    const named = { name: "Ngozi Eze" };
    const done = { status: 200, body: { amendmentId: "a-1", reference: "r-1", status: "DONE" } };
    expect([await amend("r-1", "a-1", named), await amend("r-1", "a-1", named)]).toEqual([done, done]);
    expect(await recorded()).toMatchObject({ originator, beneficiary: { ...beneficiary, ...named } });
    expect((await amend("r-1", "a-1", { name: "Ada Eze" })).status).toBe(409);
    const place = "account and country stay those of the order";
    expect(await amend("r-1", "a-2", { account: "9" })).toMatchObject({ status: 422, body: { reason: place } });
    await force({ of: "AMENDMENT", behaviour: "REFUSE", reason: "too late", times: 1 });
    expect(await amend("r-1", "a-3", {})).toMatchObject({
      status: 422,
      body: { status: "REFUSED", reason: "too late" },
    });
    await force({ of: "AMENDMENT", behaviour: "STALL" });
    expect(await amend("r-1", "a-4", { name: "Ada Eze" })).toMatchObject({ status: 200, body: { status: "ACCEPTED" } });
    expect((await recorded())["beneficiary"]).toMatchObject(named);
    await force({ of: "AMENDMENT", behaviour: "ACCEPT", times: 1 });
    expect(await amend("r-1", "a-4", { name: "Ada Eze" })).toMatchObject({ status: 200, body: { status: "DONE" } });
    expect((await recorded())["beneficiary"]).toMatchObject({ name: "Ada Eze" });
    expect(await amend("r-1", "a-5", named)).toMatchObject({ body: { status: "ACCEPTED" } });
    expect(await amend("r-1", "a-5", named)).toMatchObject({ body: { status: "ACCEPTED" } });
    await force({ of: "AMENDMENT", behaviour: "REFUSE", reason: "too late" });
    for (const _time of [1, 2]) {
      expect(await amend("r-1", "a-5", named)).toMatchObject({ status: 422, body: { reason: "too late" } });
    }
    expect((await recorded())["beneficiary"]).toMatchObject({ name: "Ada Eze" });
    await send("POST", "/v1/payouts", order("r-2"));
    expect(await amend("r-2", "a-1", {})).toMatchObject({ status: 422, body: { reason: "its order named nobody" } });
    expect((await amend("r-3", "a-1", {})).status).toBe(404);
  });

  test("keeps accounts apart", async () => {
    await send("POST", "/v1/payouts", order("r-1"));
    expect((await send("GET", "/v1/payouts/r-1", undefined, { "x-account": "acme" })).status).toBe(404);
  });

  test("refuses an unknown key and a body that does not fit", async () => {
    expect((await send("GET", "/v1/payouts/r-1", undefined, { authorization: "Bearer wrong" })).status).toBe(401);
    expect((await send("POST", "/v1/payouts", { ...order("r-1"), amount: "1e3" })).status).toBe(400);
  });

  test("a recall beats a payout that is not paid, also one that has not arrived yet; a paid one wins", async () => {
    await force({ reference: "stalled", behaviour: "STALL" });
    await send("POST", "/v1/payouts", order("stalled"));
    expect((await send("POST", "/v1/payouts/stalled/recall")).body).toMatchObject({ status: "RECALLED" });

    expect((await send("POST", "/v1/payouts/early/recall")).status).toBe(200);
    expect((await send("POST", "/v1/payouts", order("early"))).body).toMatchObject({ status: "RECALLED" });

    await send("POST", "/v1/payouts", order("paid"));
    await until("paid", "PAID");
    expect(await send("POST", "/v1/payouts/paid/recall")).toMatchObject({ status: 409, body: { status: "PAID" } });
  });

  test("forces outcomes by reference, account and count", async () => {
    await force({ reference: "no", behaviour: "REFUSE", reason: "account closed" });
    await force({ account: "acme", behaviour: "REFUSE", times: 1 });
    expect(await send("POST", "/v1/payouts", order("no"))).toMatchObject({
      status: 422,
      body: { status: "REFUSED", reason: "account closed" },
    });
    const acme = { "x-account": "acme" };
    expect((await send("POST", "/v1/payouts", order("first"), acme)).status).toBe(422);
    expect((await send("POST", "/v1/payouts", order("second"), acme)).status).toBe(200);
    expect((await send("POST", "/v1/payouts", order("yes"))).status).toBe(200);
  });

  test("loses an answer but keeps the payout; hangs without keeping it; is away", async () => {
    await force({ reference: "lost", behaviour: "LOSE_ANSWER" });
    await expect(send("POST", "/v1/payouts", order("lost"))).rejects.toThrow();
    await until("lost", "PAID");

    await force({ reference: "hung", behaviour: "HANG" });
    await expect(send("POST", "/v1/payouts", order("hung"))).rejects.toThrow();
    expect((await send("GET", "/v1/payouts/hung")).status).toBe(404);

    await force({ account: "demo", behaviour: "AWAY" });
    await expect(send("GET", "/v1/payouts/lost")).rejects.toThrow();
  });

  test("tells each change with a signature until it is taken, twice where it is told to", async () => {
    const listener = await startListener(1);
    await force({ reference: "twice", behaviour: "ANSWER_TWICE" });
    await send("POST", "/v1/payouts", order("twice", listener.url));
    await waitFor(() => listener.published.length >= 3);
    await listener.stop();

    expect(listener.published).toHaveLength(3);
    for (const { headers, body } of listener.published) {
      expect(JSON.parse(body)).toMatchObject({
        type: "payout.paid",
        account: "demo",
        payout: { reference: "twice", status: "PAID" },
      });
      const expected = signCallback(
        callbackSecret,
        String(headers["webhook-id"]),
        Number(headers["webhook-timestamp"]),
        body,
      );
      expect(headers["webhook-signature"]).toBe(expected["webhook-signature"]);
    }
    expect(new Set(listener.published.map(({ headers }) => headers["webhook-id"])).size).toBe(2);
  });

  test("sends a paid payout back less what the bank kept, and its statement says so", async () => {
    await send("POST", "/v1/payouts", order("back"));
    await until("back", "PAID");
    await send("POST", "/control/payouts/demo/back/return", { kept: "75.5" });
    expect(await until("back", "RETURNED")).toMatchObject({ kept: "75.5" });
    const { body } = await send("GET", "/v1/statement");
    expect(body["lines"].map(({ kind, amount }: { kind: string; amount: string }) => [kind, amount])).toEqual([
      ["PAYOUT", "152575.00"],
      ["RETURN", "152499.50"],
    ]);
  });

  test("has its books after a restart, and goes on with what was under way", async () => {
    await force({ reference: "slow", behaviour: "ACCEPT", settleMs: 400 });
    await send("POST", "/v1/payouts", order("slow"));
    await partner.stop();
    partner = await startPartner(config());
    await until("slow", "PAID");
  });

  test("does after a restart what it was told before, as often as is left", async () => {
    const forced = { of: "PAYOUT", behaviour: "REFUSE", times: 2, reason: "account closed" };
    const tell = (id: string, outcome: object, account = "demo") =>
      send("PUT", `/v1/sandbox/outcomes/${id}`, outcome, { "x-account": account });
    expect((await tell("one", forced)).body).toEqual({ id: "one", isNew: true });
    expect((await tell("one", forced)).body).toEqual({ id: "one", isNew: false });
    expect((await tell("one", { ...forced, times: 3 })).status).toBe(409);
    await tell("one", forced, "acme");
    expect((await send("POST", "/v1/payouts", order("r-1"))).body).toMatchObject({ status: "REFUSED" });
    await partner.stop();
    partner = await startPartner(config());
    expect((await send("GET", "/v1/sandbox/outcomes")).body).toEqual({
      outcomes: [{ id: "one", ...forced, times: 1 }],
    });
    expect((await send("POST", "/v1/payouts", order("r-2"))).body).toMatchObject({ reason: "account closed" });
    expect((await send("POST", "/v1/payouts", order("r-3"))).body).toMatchObject({ status: "ACCEPTED" });
    // It is used up, and told again it stays so.
    expect((await tell("one", forced)).body).toEqual({ id: "one", isNew: false });
    expect((await send("POST", "/v1/payouts", order("r-4"))).body).toMatchObject({ status: "ACCEPTED" });
    expect((await send("DELETE", "/v1/sandbox/outcomes", undefined, { "x-account": "acme" })).body).toEqual({
      ended: 1,
    });
  });

  test("does what a sandbox's order says, before any rule; refuses it of an account that is live", async () => {
    const sandbox = { "x-account": "demo--sandbox" };
    const orderOf = (reference: string, forced: object) => ({ ...order(reference), forced });
    const batch = (payouts: object[]) => ({ batchReference: "b", payouts });
    await force({ account: "demo--sandbox", behaviour: "STALL", times: 1 });
    const refusal = { behaviour: "REFUSE", reason: "account closed" };
    const refused = { status: "REFUSED", reason: "account closed" };
    expect(await send("POST", "/v1/payouts", orderOf("f-1", refusal), sandbox)).toMatchObject({
      status: 422,
      body: refused,
    });
    const { body } = await send(
      "POST",
      "/v1/payout-batches",
      batch([orderOf("f-2", refusal), orderOf("f-3", { behaviour: "HANG" })]),
      sandbox,
    );
    expect(body["payouts"]).toMatchObject([refused, { reference: "f-3", status: "NOT_RECORDED" }]);
    // Sent again it is the same payout, whatever it says.
    expect((await send("POST", "/v1/payouts", order("f-1"), sandbox)).body).toMatchObject(refused);
    expect((await send("GET", "/control/rules")).body["rules"]).toHaveLength(1);

    expect((await send("POST", "/v1/payouts", orderOf("live", refusal))).status).toBe(403);
    expect((await send("POST", "/v1/payout-batches", batch([order("fine"), orderOf("live", refusal)]))).status).toBe(
      403,
    );
    for (const reference of ["live", "fine"]) expect((await send("GET", `/v1/payouts/${reference}`)).status).toBe(404);
    expect((await send("POST", "/v1/payouts", orderOf("x", { behaviour: "EXPLODE" }), sandbox)).status).toBe(400);
  });

  test("settles what it has accepted as it is told, once", async () => {
    const settle = (reference: string, body: object) => send("POST", `/v1/sandbox/payouts/${reference}/settle`, body);
    for (const reference of ["paid", "refused"]) {
      await force({ reference, behaviour: "STALL" });
      await send("POST", "/v1/payouts", order(reference));
    }
    for (const _twice of [1, 2]) {
      expect(await settle("paid", { status: "PAID" })).toMatchObject({ status: 200, body: { status: "PAID" } });
      const body = { status: "REFUSED", reason: "account closed" };
      expect(await settle("refused", body)).toMatchObject({ status: 200, body });
    }
    expect((await settle("paid", { status: "REFUSED" })).status).toBe(409);
    expect((await settle("nobody", { status: "PAID" })).status).toBe(404);
    expect((await send("GET", "/v1/statement")).body["lines"]).toMatchObject([{ reference: "paid", kind: "PAYOUT" }]);
  });

  test("can be told to come back while it is away, by who has the key", async () => {
    await send("PUT", "/v1/sandbox/outcomes/away", { of: "PAYOUT", behaviour: "AWAY" });
    await expect(send("POST", "/v1/payouts", order("cut"))).rejects.toThrow();
    const stranger = { authorization: "Bearer another" };
    expect((await send("DELETE", "/v1/sandbox/outcomes", undefined, stranger)).status).toBe(401);
    expect((await send("DELETE", "/v1/sandbox/outcomes?of=PAYOUT&id=away")).body).toEqual({ ended: 1 });
    expect((await send("POST", "/v1/payouts", order("cut"))).body).toMatchObject({ status: "ACCEPTED" });
  });

  test("a return keeps no more than there is, nor finer than the currency", async () => {
    for (const reference of ["fine", "more"]) await send("POST", "/v1/payouts", order(reference));
    for (const reference of ["fine", "more"]) await until(reference, "PAID");
    const back = (reference: string, kept: string) => send("POST", `/v1/sandbox/payouts/${reference}/return`, { kept });
    expect((await back("fine", "75.5055")).body).toMatchObject({ status: "RETURNED", kept: "75.50" });
    expect((await back("fine", "75.5055")).body).toMatchObject({ status: "RETURNED", kept: "75.50" });
    expect((await back("more", "999999999")).body).toMatchObject({ kept: "152575.00" });
    expect((await back("nobody", "0")).status).toBe(404);
  });

  test("names the file of books that are none", async () => {
    await partner.stop();
    const sound = booksFile;
    booksFile = `${sound}.damaged`;
    await writeFile(booksFile, "these are no books, however long they are ".repeat(200));
    await expect(startPartner(config())).rejects.toThrow(`the partner's books ${booksFile} cannot be opened`);
    booksFile = sound;
    partner = await startPartner(config());
  });

  test("takes a batch with a result for each", async () => {
    await force({ reference: "b-2", behaviour: "REFUSE" });
    const { body } = await send("POST", "/v1/payout-batches", {
      batchReference: "b",
      payouts: [order("b-1"), order("b-2")],
    });
    expect(body["payouts"].map(({ status }: { status: string }) => status)).toEqual(["ACCEPTED", "REFUSED"]);
  });
});
