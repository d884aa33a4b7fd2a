// A payout connector (docs/plugins.md), complete but for its network and a database. Node 24:
//   PORT=4000 API_KEY=a-key CALLBACK_SECRET=whsec_bWFuaWxsYQ== node payout-connector.ts
import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const { PORT = "4000", API_KEY = "", CALLBACK_SECRET = "" } = process.env;
if (API_KEY.length < 16) throw new Error("API_KEY has at least 16 characters");

interface Order {
  reference: string;
  amount: string;
  currency: string;
  method: string;
  creditParty: Record<string, string>;
  callbackUrl?: string;
  forced?: { behaviour: string; settleMs?: number; delayMs?: number; reason?: string; kept?: string };
}
interface Payout extends Pick<Order, "reference" | "amount" | "currency"> {
  payoutId: string;
  status: "ACCEPTED" | "PAID" | "REFUSED" | "RECALLED" | "RETURNED";
  reason?: string;
  kept?: string;
}
interface Kept {
  payout: Payout;
  /** What it was ordered by: the same reference with anything else is another payout. */
  content: string;
  callbackUrl: string;
}

// Yours is a database, unique by account and reference: a payout is written before it is answered.
const payouts = new Map<string, Kept>();
const statement: { account: string; reference: string; kind: string; amount: string; currency: string; at: string }[] =
  [];

const contentOf = ({ amount, currency, method, creditParty }: Order) =>
  JSON.stringify([amount, currency, method, Object.entries(creditParty).map(String).toSorted()]);

/** Undefined where the reference stands for another payout. */
function submit(account: string, order: Order): Payout | undefined {
  const known = payouts.get(`${account} ${order.reference}`);
  const content = contentOf(order);
  // A recall that came first has no content: its order, when it comes, finds it closed.
  if (known !== undefined) return known.content === content || known.content === "" ? known.payout : undefined;
  const { reference, amount, currency, forced, callbackUrl = "" } = order;
  const { behaviour = "ACCEPT", settleMs = 1_000, delayMs = 1_000, reason = "refused", kept = "0" } = forced ?? {};
  const payout: Payout = { payoutId: randomUUID(), reference, amount, currency, status: "ACCEPTED" };
  const one: Kept = { payout, content, callbackUrl };
  payouts.set(`${account} ${reference}`, one);
  if (behaviour === "REFUSE") return Object.assign(payout, { status: "REFUSED", reason });
  if (behaviour === "STALL") return payout;
  // Here your network is asked. What it says later changes the payout once, while it is open.
  setTimeout(() => {
    if (payout.status !== "ACCEPTED") return;
    if (behaviour === "REFUSE_LATER") return change(account, one, { status: "REFUSED", reason });
    change(account, one, { status: "PAID" });
    if (behaviour === "RETURN") setTimeout(() => change(account, one, { status: "RETURNED", kept }), delayMs);
  }, settleMs);
  return payout;
}

function change(account: string, one: Kept, part: Partial<Payout>): void {
  const payout = Object.assign(one.payout, part);
  const { reference, currency, amount, status, kept = "0" } = payout;
  const line = { account, reference, currency, at: new Date().toISOString() };
  if (status === "PAID") statement.push({ ...line, kind: "PAYOUT", amount });
  if (status === "RETURNED") statement.push({ ...line, kind: "RETURN", amount: less(amount, kept) });
  if (one.callbackUrl !== "")
    void callBack(one.callbackUrl, { type: `payout.${status.toLowerCase()}`, account, payout });
}

/** Amounts are decimal text: no number of JavaScript holds them all. */
function less(amount: string, kept: string): string {
  const minor = (text: string) =>
    BigInt(text.replace(/^(\d+)\.?(\d*)$/, (_all, whole, part) => whole + part.padEnd(4, "0")));
  const digits = (minor(amount) - minor(kept)).toString().padStart(5, "0");
  return `${digits.slice(0, -4)}.${digits.slice(-4)}`;
}

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

function recall(account: string, reference: string): [number, Payout] {
  const known = payouts.get(`${account} ${reference}`);
  const unknown = { payoutId: randomUUID(), reference, amount: "0", currency: "", status: "ACCEPTED" } as const;
  const payout: Payout = known?.payout ?? { ...unknown };
  if (known === undefined) payouts.set(`${account} ${reference}`, { payout, content: "", callbackUrl: "" });
  if (payout.status === "ACCEPTED") payout.status = "RECALLED";
  return [payout.status === "RECALLED" ? 200 : 409, payout];
}

function page(account: string, query: URLSearchParams): object {
  const [from, to] = [query.get("from") ?? "", query.get("to") ?? "9999"];
  const [begin, limit] = [Number(query.get("cursor") ?? 0), Math.min(500, Number(query.get("limit") ?? 500))];
  const all = statement.filter((line) => line.account === account && line.at >= from && line.at < to);
  const end = begin + limit;
  return { lines: all.slice(begin, end), ...(end < all.length && { cursor: String(end) }) };
}

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
  const known = payouts.get(`${account} ${reference || body?.reference}`);
  if (request.method === "GET") return known ? say(200, known.payout) : say(404, { error: "no such payout" });
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
