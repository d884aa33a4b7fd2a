// A payout connector of contract 2 (docs/plugins.md), complete but for its network and database.
// Node 24:
//   PORT=4000 API_KEY=a-key CALLBACK_SECRET=whsec_bWFuaWxsYQ== node payout-connector.ts
import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { amend, changes, find, page, recall, submit, type Order } from "./payout-books.ts";

const { PORT = "4000", API_KEY = "", CALLBACK_SECRET = "" } = process.env;
if (API_KEY.length < 16) throw new Error("API_KEY has at least 16 characters");

/** Signed by Standard Webhooks 1.0, again until it is taken. It only hints: Manilla then asks. */
async function callBack(url: string, content: object): Promise<void> {
  const [id, body] = [randomUUID(), JSON.stringify(content)];
  for (let tries = 0; tries < 10; tries += 1) {
    const at = String(Math.floor(Date.now() / 1_000));
    const key = Buffer.from(CALLBACK_SECRET.replace(/^whsec_/, ""), "base64");
    const signature = `v1,${createHmac("sha256", key).update(`${id}.${at}.${body}`).digest("base64")}`;
    const headers = { "webhook-id": id, "webhook-timestamp": at, "webhook-signature": signature };
    const taken = await fetch(url, { method: "POST", headers, body }).catch(() => undefined);
    if (taken?.ok) return;
    await sleep(250 * 2 ** tries);
  }
}

changes.on("changed", ({ account, payout, callbackUrl }) => {
  // Nobody is named: Manilla asks for the rest.
  if (callbackUrl !== "")
    void callBack(callbackUrl, { type: `payout.${payout.status.toLowerCase()}`, account, payout });
});

const isOurs = (key: string) =>
  key.length === API_KEY.length && timingSafeEqual(Buffer.from(key), Buffer.from(API_KEY));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const body = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : undefined;
  const say = (status: number, content: object) =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(content));
  if (!isOurs(String(request.headers.authorization).replace(/^Bearer /, ""))) return say(401, { error: "unknown key" });
  const account = String(request.headers["x-account"]);
  const url = new URL(request.url ?? "/", "http://connector");
  const [, , noun, reference = "", action] = url.pathname.split("/").map(decodeURIComponent);
  if (noun === "statement") return say(200, page(account, url.searchParams));
  if (noun === "window") return say(200, { opensAt: new Date(Date.now() + 60_000).toISOString() });
  if (noun === "payout-batches") {
    return say(200, { payouts: body.payouts.map((order: Order) => submit(account, order) ?? { status: "CONFLICT" }) });
  }
  if (noun !== "payouts") return say(404, { error: "there is no such path" });
  if (action === "recall") return say(...recall(account, reference));
  const known = find(account, reference || body.reference);
  if (reference !== "" && known === undefined) return say(404, { error: "no such payout" });
  if (known !== undefined && action === "amendments") return say(...amend(known, body));
  if (known !== undefined && request.method === "GET") return say(200, { ...known.payout, ...known.parties });
  // What is forced of a new order. A connector to a live network leaves this out at its live URL.
  const behaviour = known === undefined ? body.forced?.behaviour : undefined;
  if (behaviour === "HANG") return;
  if (behaviour === "AWAY") return void request.socket.destroy();
  if (behaviour === "SERVER_ERROR") return say(500, { error: "forced" });
  const payout = submit(account, body);
  if (payout === undefined) return say(409, { error: "this reference stands for another payout" });
  if (behaviour === "LOSE_ANSWER") return void request.socket.destroy();
  if (behaviour === "ANSWER_LATE") await sleep(body.forced.delayMs);
  say(payout.status === "REFUSED" ? 422 : 200, payout);
}

const server = createServer((request, response) => {
  answer(request, response).catch(() => response.writeHead(500).end("{}"));
});
server.listen(Number(PORT), "127.0.0.1", () => process.stdout.write(JSON.stringify(server.address())));
