// `npm run bench:sdk`: what a call by the client costs over bare fetch, in pairs of one run.
import { fork } from "node:child_process";
import { once } from "node:events";
import { cpus, loadavg } from "node:os";
import { Manilla } from "../../../sdk/dist/index.js";

const pairs = 3_000;
const path = "/api/v6/services/transactionmanagement/quotes";
const body = { sendAmount: "20.00", sendCurrency: "USD", receivingCurrency: "NGN", inclusive: false };

const child = fork(new URL("server.mjs", import.meta.url));
const [port] = await once(child, "message");
const baseUrl = `http://127.0.0.1:${port}`;
const manilla = new Manilla({ baseUrl, credentials: { apiToken: "token" } });

/** What somebody would write without the client: the same request, and the answer's data. */
async function bare(method, url, sent) {
  const headers = {
    "X-Auth-Token": "token",
    "content-type": "application/json",
    "x-idempotency-key": crypto.randomUUID(),
  };
  const answer = await fetch(baseUrl + url, { method, headers, ...(sent && { body: JSON.stringify(sent) }) });
  return (await answer.json()).data;
}

const kinds = {
  "a read (`quotes.read`)": [() => manilla.quotes.read("q-1"), () => bare("GET", `${path}/q-1`)],
  "a creation (`quotes.create`)": [() => manilla.quotes.create(body), () => bare("POST", path, body)],
};

async function timed(call) {
  const [startedAt, before] = [performance.now(), process.cpuUsage()];
  await call();
  const { user, system } = process.cpuUsage(before);
  return { ms: performance.now() - startedAt, cpuMs: (user + system) / 1000 };
}

const sortedOf = (values) => values.toSorted((left, right) => left - right);
const median = (values) => sortedOf(values)[Math.floor(values.length / 2)];
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

const load = loadavg()[0].toFixed(1);
process.stdout.write(
  `Node ${process.versions.node}, ${cpus().length} cores, load average ${load}, ${pairs} pairs each\n`,
);
for (const [what, [byClient, byFetch]] of Object.entries(kinds)) {
  for (let round = 0; round < 300; round += 1) await byClient().then(byFetch);
  const all = { client: [], fetch: [] };
  for (let pair = 0; pair < pairs; pair += 1) {
    // Whichever comes second may find warmer caches: they take turns.
    const order = pair % 2 === 0 ? ["client", "fetch"] : ["fetch", "client"];
    for (const by of order) all[by].push(await timed(by === "client" ? byClient : byFetch));
  }
  const differences = all.client.map(({ ms }, index) => ms - all.fetch[index].ms);
  const cpu = mean(all.client.map(({ cpuMs }) => cpuMs)) - mean(all.fetch.map(({ cpuMs }) => cpuMs));
  const each = Object.entries(all).map(([by, times]) => `${by} ${median(times.map(({ ms }) => ms)).toFixed(3)} ms`);
  process.stdout.write(
    `${what}: ${median(differences).toFixed(3)} ms over bare fetch (median of pairs; ${each.join(", ")}), CPU ${cpu.toFixed(3)} ms (mean)\n`,
  );
}
child.disconnect();
