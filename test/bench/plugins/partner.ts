// Partners in a process of their own: each is a first part of the path, pays at
// once what it is ordered, and hangs where it is told to. Tells its parent its
// port, and each order as it first comes.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const hanging = new Set<string>();
const waiting = new Map<ServerResponse, () => void>();
const orders = new Map<string, object>();
const most = { now: 0, ever: 0 };

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function say(response: ServerResponse, status: number, content: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(content));
}

/** As a partner that hangs: answers once it is told to go on, unless nobody waits any more. */
function hang(response: ServerResponse, goOn: () => void): void {
  most.now += 1;
  most.ever = Math.max(most.ever, most.now);
  waiting.set(response, goOn);
  response.on("close", () => {
    if (!waiting.delete(response)) return;
    most.now -= 1;
  });
}

const server = createServer((request, response) => {
  void textOf(request).then((text) => {
    const { pathname } = new URL(request.url ?? "/", "http://partner");
    const [, partner = "", , noun, reference] = pathname.split("/");
    if (partner === "control") return control(noun ?? "", response);
    const go = () => answer(text, noun, reference, response);
    return hanging.has(partner) ? hang(response, go) : go();
  });
});

function answer(text: string, noun = "", reference: string | undefined, response: ServerResponse): void {
  if (noun === "statement") return say(response, 200, { lines: [] });
  if (noun !== "payouts") return say(response, 404, { error: "there is no such path" });
  if (reference !== undefined) {
    const known = orders.get(reference);
    return known === undefined ? say(response, 404, { error: "no such payout" }) : say(response, 200, known);
  }
  const order = JSON.parse(text) as { reference: string; amount: string; currency: string };
  const payout = { reference: order.reference, amount: order.amount, currency: order.currency, status: "PAID" };
  if (!orders.has(order.reference)) process.send?.({ reference: order.reference });
  orders.set(order.reference, payout);
  say(response, 200, payout);
}

function control(what: string, response: ServerResponse): void {
  if (what === "hang") {
    most.ever = 0;
    hanging.add("slow");
  }
  if (what === "answer") {
    hanging.clear();
    most.now = 0;
    for (const [held, goOn] of waiting) {
      waiting.delete(held);
      goOn();
    }
  }
  say(response, 200, { most: most.ever });
}

server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
