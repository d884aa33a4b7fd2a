import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { freePort } from "../../deploy/local/ports.js";
import { waitFor } from "../support/index.js";

const page = join(__dirname, "../../docs/events.md");
const secret = `whsec_${Buffer.from("a secret of receivers, 32 bytes!").toString("base64")}`;
const other = `whsec_${Buffer.from("a secret that signs no more, 32b").toString("base64")}`;

interface Running {
  port: number;
  stated: string;
  process: ChildProcess;
}

let folder: string;
const running = new Map<string, Running>();

/** The one block of a language on the page of events. */
function blockOf(text: string, language: string): string {
  const blocks = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].filter(([, named]) => named === language);
  if (blocks.length !== 1) throw new Error(`${blocks.length} blocks of ${language} in ${page}`);
  return blocks[0]![2]!;
}

async function start(command: string, file: string, content: string): Promise<Running> {
  await writeFile(join(folder, file), content);
  const port = await freePort();
  const env = { PATH: process.env["PATH"], RECEIVER_PORT: String(port), WEBHOOK_SECRET: secret };
  const child = spawn(command, [file], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  const one: Running = { port, stated: "", process: child };
  let faults = "";
  child.on("error", (error) => (faults += error.message));
  child.stdout.on("data", (chunk: Buffer) => (one.stated += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (faults += chunk.toString()));
  await waitFor(
    async () => {
      if (child.exitCode !== null || child.pid === undefined) throw new Error(`${file} ended: ${faults}`);
      return fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: "{}" }).then(
        () => true,
        () => false,
      );
    },
    { timeoutMs: 20_000 },
  );
  return one;
}

beforeAll(async () => {
  // Where the library that the page names is found.
  const cache = join(__dirname, "../../.cache");
  await mkdir(cache, { recursive: true });
  folder = await mkdtemp(join(cache, "receivers-"));
  const text = await readFile(page, "utf8");
  running.set("TypeScript", await start(process.execPath, "receiver.ts", blockOf(text, "ts")));
  running.set("Python", await start("python3", "receiver.py", blockOf(text, "python")));
}, 60_000);
afterAll(async () => {
  for (const { process: child } of running.values()) {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  }
  await rm(folder, { recursive: true, force: true });
});

interface Sent {
  id: string;
  at?: Date;
  by?: readonly string[];
  /** What is sent in place of what was signed. */
  changed?: string;
}

async function send(language: string, { id, at = new Date(), by = [secret], changed }: Sent): Promise<number> {
  const body = JSON.stringify({ id, type: "transaction.paid", data: { recipient: "Chidi Ökafor" } });
  const headers = {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": by.map((one) => new Webhook(one).sign(id, at, body)).join(" "),
  };
  const url = `http://127.0.0.1:${running.get(language)!.port}/events`;
  return (await fetch(url, { method: "POST", headers, body: changed ?? body })).status;
}
const printed = (language: string, id: string) => running.get(language)!.stated.split(id).length - 1;
const minutes = (count: number) => new Date(Date.now() + count * 60_000);

describe.each(["TypeScript", "Python"])("the receiver of the page in %s", (language) => {
  test("takes what is signed, and works on an event once", async () => {
    expect(await send(language, { id: "good-1" })).toBe(204);
    expect(await send(language, { id: "good-1" })).toBe(204);
    expect(await send(language, { id: "good-2" })).toBe(204);
    await waitFor(() => printed(language, "good-2") === 1);
    expect(printed(language, "good-1")).toBe(1);
    expect(running.get(language)!.stated).toContain("transaction.paid good-1");
  });

  test("takes an event that either secret of a rotation signs", async () => {
    expect(await send(language, { id: "rotated-1", by: [other, secret] })).toBe(204);
    expect(await send(language, { id: "rotated-2", by: [secret, other] })).toBe(204);
  });

  test.each([
    ["was changed on its way", { changed: JSON.stringify({ id: "bad", type: "transaction.paid", data: {} }) }],
    ["is no JSON", { changed: "{" }],
    ["another secret signs", { by: [other] }],
    ["nobody signs", { by: [] }],
    ["is six minutes old", { at: minutes(-6) }],
    ["is of a time to come", { at: minutes(6) }],
  ])("refuses what %s", async (_what, sent) => {
    expect(await send(language, { id: "bad", ...sent })).toBe(400);
    expect(printed(language, "bad")).toBe(0);
  });

  test("refuses what has no headers of ours", async () => {
    const url = `http://127.0.0.1:${running.get(language)!.port}/events`;
    expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(400);
  });
});
