// A process of its own: asks a server from as many clients, one question after another or after a
// pause, and prints what it took.
import { Agent, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const [address = "", clients = "16", seconds = "5", gapMs = "0", requested = "[]"] = process.argv.slice(2);
const paths = JSON.parse(requested) as string[];
const agent = new Agent({ keepAlive: true, maxSockets: Number(clients) });
const tookMs: number[] = [];
let next = 0;

function ask(path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    get(`${address}${path}`, { agent }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${path} was answered ${answer.statusCode}`));
      answer.on("data", () => undefined);
      answer.on("end", () => {
        tookMs.push(performance.now() - began);
        resolve();
      });
    }).on("error", reject);
  });
}

const began = performance.now();
const until = began + 1_000 * Number(seconds);
await Promise.all(
  Array.from({ length: Number(clients) }, async () => {
    await sleep(Math.random() * Number(gapMs));
    while (performance.now() < until) {
      const at = performance.now();
      await ask(paths[next++ % paths.length]!);
      const rest = Number(gapMs) - (performance.now() - at);
      if (rest > 0) await sleep(rest);
    }
  }),
);
agent.destroy();
const sorted = tookMs.toSorted((a, b) => a - b);
const quantile = (part: number) => sorted[Math.floor(sorted.length * part)];
const perSecond = (1_000 * tookMs.length) / (performance.now() - began);
process.stdout.write(JSON.stringify({ perSecond, p50: quantile(0.5), p99: quantile(0.99) }));
