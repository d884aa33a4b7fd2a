import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, openSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { freePort } from "../../deploy/local/ports.js";
import { readClusterFile } from "../../deploy/local/cluster-file.js";
import { createEdgeClient, demoUser, readDemo } from "../support/edge-client.js";
import { waitFor } from "../support/index.js";

jest.setTimeout(120_000);

const amina = demoUser(readDemo(), "CUSTOMER", { email: "amina" });
const children: ChildProcess[] = [];

afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
});

/** A second process of the cluster's kind, from its environment, with something else in it. */
function startLike(name: string, main: string, env: NodeJS.ProcessEnv, output: "pipe" | number): ChildProcess {
  const { pid } = readClusterFile(process.env["E2E_DATA_DIR"]!).processes[name]!;
  const lines = readFileSync(`/proc/${pid}/environ`, "utf8")
    .split("\0")
    .filter((line) => line.includes("="));
  const own = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
  const child = spawn(process.execPath, [resolve("dist", main)], {
    env: { ...own, ...env },
    stdio: ["ignore", output, output],
  });
  children.push(child);
  return child;
}

const onLinux = existsSync("/dev/full") && existsSync("/proc/self/environ") ? describe : describe.skip;

onLinux("processes like the cluster's", () => {
  test.each([
    ["gateway", "gateway/main.js"],
    ["identity", "services/identity/main.js"],
    ["remittance", "services/remittance/main.js"],
    ["partner", "deploy/partner/main.js"],
  ])("%s serves although its log is on a full disk, and counts the lines it lost", async (name, main) => {
    const [port, adminPort] = [await freePort(), await freePort()];
    const ports = { PORT: String(port), ADMIN_PORT: String(adminPort) };
    const books = name === "partner" && { PARTNER_BOOKS_FILE: join(mkdtempSync(join(tmpdir(), "books-")), "books.db") };
    const child = startLike(name, main, { ...ports, ...books }, openSync("/dev/full", "w"));
    const isReady = () =>
      fetch(`http://127.0.0.1:${adminPort}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await waitFor(isReady, { timeoutMs: 60_000, everyMs: 100, what: `${name} to be ready` });
    if (name === "gateway") {
      const edge = createEdgeClient(`http://127.0.0.1:${port}`);
      expect((await edge.login(amina)).status).toBe(200);
    }
    const metrics = async () => (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
    const isCounted = async () => name === "partner" || /^manilla_log_lines_lost_total [1-9]/m.test(await metrics());
    await waitFor(isCounted, { timeoutMs: 10_000, everyMs: 100, what: "the lost lines" });
    expect(child.exitCode).toBeNull();
    const ended = new Promise((done) => child.once("exit", done));
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  });

  // The driver looks for ten seconds: meanwhile the others are tried.
  let away: { child: ChildProcess; printed: string };
  beforeAll(() => {
    // The cluster's own were told to wait for a MongoDB that was being started.
    const soon = { BOOT_WAIT_S: "0", MONGODB_URI: "mongodb://127.0.0.1:1/?directConnection=true" };
    const env = { PORT: "0", ADMIN_PORT: "", ...soon };
    away = { child: startLike("wallet", "services/wallet/main.js", env, "pipe"), printed: "" };
    for (const stream of [away.child.stdout!, away.child.stderr!]) {
      stream.on("data", (part: Buffer) => (away.printed += part.toString()));
    }
  });

  test("a service that starts while MongoDB is away says so in one line of JSON", async () => {
    const { child } = away;
    await waitFor(async () => child.exitCode !== null, { timeoutMs: 60_000, everyMs: 100, what: "it to end" });
    expect(child.exitCode).toBe(1);
    const { printed } = away;
    const lines = printed.trimEnd().split("\n");
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      level: "fatal",
      service: "wallet",
      msg: "wallet cannot start",
      err: { message: expect.stringContaining("127.0.0.1:1") },
    });
    expect(lines[0]!.length).toBeLessThan(1_000);
  });
});
