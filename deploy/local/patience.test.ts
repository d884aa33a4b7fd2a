import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadServiceKeys } from "../../services/kernel/tokens/service-tokens.js";
import { startChild, type Child } from "./child.js";
import { prepareKeys } from "./keys.js";
import { createPatience, type PatienceOptions } from "./patience.js";
import { StartError } from "./start-error.js";

let folder: string;
let child: Child | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "manilla-patience-"));
});
afterEach(async () => {
  await child?.kill();
  await rm(folder, { recursive: true, force: true });
});

/** Waits for a script, which is ready once so many lines were said of it. */
async function waitFor(script: string, options: PatienceOptions, readyAfterLines = Infinity) {
  const log = join(folder, "log");
  const running = await startChild({ command: "/bin/sh", args: ["-c", script], log });
  child = running;
  const printed: string[] = [];
  const patience = createPatience({ ...options, print: (line) => printed.push(line) });
  const fault = await patience({
    name: "mongodb",
    pid: () => (running.isRunning() ? running.pid : undefined),
    isReady: async () => printed.length >= readyAfterLines,
  });
  return { fault, printed };
}

test.each([
  ["works", "while true; do echo recovering; sleep 0.05; done"],
  ["has no turn, or waits for another", "exec sleep 60"],
])("one that lives and %s is waited for, with a line now and then", async (_what, script) => {
  const { fault, printed } = await waitFor(script, { printEveryMs: 300 }, 2);
  expect(fault).toBeUndefined();
  expect(printed[0]).toMatch(/^ +\d+ s {2}still waiting for mongodb$/);
  expect(printed).toHaveLength(2);
});

test("one that never becomes ready is given up at last", async () => {
  expect((await waitFor("exec sleep 60", { maxMs: 500 })).fault).toBe("was not ready within 1 s");
});

test("one that ended is not waited for", async () => {
  expect((await waitFor("exit 3", {})).fault).toBe("ended");
});

test.each([
  ["services.jwks.json", '{"keys":[{"kid":"wal'],
  ["services.jwks.json", ""],
  ["services.jwks.json", '{"keys":5}'],
  ["partner.json", '{"apiKey":"'],
])("a damaged %s is one sentence with its name", async (name, text) => {
  await prepareKeys(folder, ["wallet"]);
  const path = join(folder, "keys", name);
  await writeFile(path, text);
  const error = await prepareKeys(folder, ["wallet"]).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StartError);
  expect((error as Error).message).toBe(
    `${path} is damaged: put a copy of it back, or delete it to have new keys made.`,
  );
});

test.each(["wallet.jwk.json", "services.jwks.json"])(
  "%s that is lost is made anew, and the others keep theirs",
  async (lost) => {
    const first = await prepareKeys(folder, ["wallet", "ledger"]);
    const ledgers = await readFile(first.serviceKeyFiles["ledger"]!, "utf8");
    await rm(join(folder, "keys", lost));
    const { jwksFile, serviceKeyFiles, operatorKeyFile } = await prepareKeys(folder, ["wallet", "ledger"]);
    for (const keyFile of [...Object.values(serviceKeyFiles), operatorKeyFile]) {
      await expect(loadServiceKeys({ keyFile, jwksFile })).resolves.toBeDefined();
    }
    const isUnchanged = (await readFile(serviceKeyFiles["ledger"]!, "utf8")) === ledgers;
    expect(isUnchanged).toBe(lost === "wallet.jwk.json");
  },
);
