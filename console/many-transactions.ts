// What `npm run bench:console -- --transactions 100000` measures beside the rest: the list
// of transactions of a tenant that has so many, from a click until its rows are painted, and
// how much of that was the API's.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import mongoose from "mongoose";
import type { Page } from "playwright-core";

const { MongoClient } = mongoose.mongo;
const marker = "bench-console";
const batch = 5_000;
const senders = ["Ada Obi", "Bola Ade", "Chidi Okafor", "Dayo Musa"];

type Stored = Record<string, unknown> & { tenantId: string; transactionCode: string };

/**
 * Puts copies of the demo tenant's newest transaction into remittance's database until it has so
 * many, and takes them away after `work`. The copies differ in ids, codes, senders, states and
 * moments; their recipients' details lie unsealed.
 */
export async function withTransactions<T>(count: number, work: (newestCode: string) => Promise<T>): Promise<T> {
  const { mongoUri } = JSON.parse(readFileSync(join(process.env["DATA_DIR"] ?? ".data", "cluster.json"), "utf8"));
  const client = await MongoClient.connect(mongoUri, { useBigInt64: true });
  const transactions = client.db("manilla_remittance").collection<Stored>("transactions");
  try {
    const tenantId = "demo";
    const like = await transactions.findOne({ tenantId, status: "COMPLETED" }, { sort: { createdAt: -1 } });
    if (like === null) throw new Error("the demo tenant has no completed transaction to copy");
    const { _id, sealedParties: _sealed, ...plain } = like;
    const missing = count - (await transactions.countDocuments({ tenantId }));
    const now = Date.now();
    for (let from = 0; from < missing; from += batch) {
      const some = Array.from({ length: Math.min(batch, missing - from) }, (_, at) => copyOf(plain, from + at, now));
      await transactions.insertMany(some as never[], { ordered: false });
    }
    return await work("MNBENCH0000001");
  } finally {
    await transactions.deleteMany({ tenantId: "demo", interactionId: marker });
    await client.close();
  }
}

function copyOf(plain: object, index: number, now: number): object {
  const transactionId = crypto.randomUUID();
  const transactionCode = `MNBENCH${String(index).padStart(7, "0")}`;
  const name = senders[index % senders.length]!;
  const at = new Date(now - index * 60_000);
  const { sender, recipient } = plain as Record<"sender" | "recipient", { name: string; customerCode: string }>;
  const words = [name, recipient.name, transactionId, transactionCode, sender.customerCode, recipient.customerCode];
  return {
    ...plain,
    transactionId,
    transactionCode,
    sender: { ...sender, name },
    creditParty: [{ key: "bankaccountno", value: "3012345671" }],
    status: ["COMPLETED", "COMPLETED", "COMPLETED", "CANCELLED", "REFUNDED"][index % 5],
    createdAt: at,
    searchWords: [...new Set(words.flatMap((text) => text.toLowerCase().split(" ")))],
    timeline: [{ status: "COMPLETED", at, actor: "bench", reason: "" }],
    interactionId: marker,
    request: { caller: marker, key: transactionId, fingerprint: "f" },
  };
}

/**
 * From what somebody does until its rows are painted, in ms, and the part in
 * which the API's answer was awaited.
 */
export interface Shown {
  total: number;
  api: number;
}

// In the page, where no debugger stands between: from the event until the frame after the table has
// other rows and waits for none.
const armed = `void (window.shown = new Promise((resolve) => {
  const first = () => document.querySelector("main [data-row]")?.textContent;
  const before = first();
  let began;
  // A text field changes some ms after the Enter that has it asked for.
  const begin = ({ type, target, timeStamp }) => { if (type !== "change" || target.tagName === "SELECT") began = timeStamp; };
  for (const type of ["click", "change", "keydown"]) addEventListener(type, begin, { capture: true });
  performance.clearResourceTimings();
  const watcher = new MutationObserver(look);
  watcher.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  function look() {
    if (began === undefined || first() === undefined || first() === before) return;
    if (document.querySelector("main table[aria-busy=true]")) return;
    watcher.disconnect();
    requestAnimationFrame(() => setTimeout(() => {
      const asked = performance.getEntriesByType("resource")
        .filter(({ name }) => new URL(name).pathname.endsWith("/transactionmanagement/transactions"));
      const api = asked.reduce((sum, { startTime, responseEnd }) => sum + responseEnd - startTime, 0);
      resolve({ total: performance.now() - began, api, calls: asked.length });
    }));
  }
}))`;

/** Times `act` on the list, which must bring rows that begin with another one. */
export async function shownAfter(page: Page, act: () => Promise<unknown>): Promise<Shown> {
  await page.evaluate(armed);
  await act();
  const { total, api, calls } = (await page.evaluate("window.shown")) as Shown & { calls: number };
  if (calls !== 1) throw new Error(`the list was asked for ${calls} times`);
  return { total, api };
}
