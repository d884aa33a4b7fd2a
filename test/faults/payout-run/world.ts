import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { Cluster, ClusterOptions } from "../../../deploy/local/cluster.js";
import { freePort } from "../../../deploy/local/ports.js";
import { startBuiltCluster } from "../../support/global-setup-e2e.js";
import { startFaultProxy, type FaultProxy } from "../../support/fault-proxy.js";
import { fixture } from "./fixture.js";

/** One process's way to another, with a proxy on it. */
export interface ProxiedHop {
  readonly from: string;
  readonly to: string;
  readonly proxy: FaultProxy;
}

export interface ToolOutcome {
  readonly code: number;
  readonly output: string;
}

export interface FaultyWorld {
  readonly cluster: Cluster;
  readonly dataDir: string;
  /**
   * From clients to the gateway, from the partner to the gateway, and from every process to every
   * other that it calls.
   */
  readonly hops: readonly ProxiedHop[];
  /** Where clients reach the gateway: through a proxy. */
  readonly baseUrl: string;
  /** "host:port" of the sandbox partner itself. */
  readonly partnerAddress: string;
  /** An operator's tool of the build, on this cluster. */
  tool(path: string, ...args: string[]): Promise<ToolOutcome>;
  close(): Promise<void>;
}

const callbackBase = "PARTNER_CALLBACK_BASE_URL";

/**
 * The built cluster with the fixture's tenant and a fault proxy on every hop. KEEP_LOGS keeps its
 * folder.
 */
export async function startFaultyWorld(): Promise<FaultyWorld> {
  const dataDir = mkdtempSync(join(tmpdir(), "manilla-payout-faults-"));
  const hops: ProxiedHop[] = [];
  const proxied = async (from: string, to: string, address: string): Promise<FaultProxy> => {
    const proxy = await startFaultProxy(address);
    hops.push({ from, to, proxy });
    return proxy;
  };
  const port = await freePort();
  const edge = await proxied("client", "gateway", `127.0.0.1:${port}`);
  const callbacks = await proxied("partner", "gateway", `127.0.0.1:${port}`);
  const options: ClusterOptions = {
    dataDir,
    port,
    quiet: true,
    backoff: { firstMs: 50, maxMs: 500 },
    processEnv: {
      remittance: { [callbackBase]: `http://${callbacks.address}`, PARTNER_STATEMENT_EVERY_S: "3" },
      partner: { PARTNER_WINDOW_MS: "5000" },
      wallet: { BANK_CREDITS_EVERY_S: "1" },
    },
    through: async ({ from, to, address }) => (await proxied(from, to, address)).address,
  };
  let cluster: Cluster;
  try {
    cluster = (await startBuiltCluster(options)) as Cluster;
  } catch (error) {
    for (const { proxy } of hops) await proxy.close();
    throw error;
  }

  async function tool(path: string, ...args: string[]): Promise<ToolOutcome> {
    const env = { ...process.env, DATA_DIR: dataDir, NODE_OPTIONS: "" };
    const printed = ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}${stderr}`.trim();
    return promisify(execFile)(process.execPath, [resolve("dist", path), ...args], { env }).then(
      (done) => ({ code: 0, output: printed(done) }),
      (error: { code: number; stdout: string; stderr: string }) => ({ code: error.code, output: printed(error) }),
    );
  }

  async function close(): Promise<void> {
    await cluster.stop();
    for (const { proxy } of hops) await proxy.close();
    if (process.env["KEEP_LOGS"] === undefined) rmSync(dataDir, { recursive: true, force: true });
  }

  const file = join(dataDir, "faults.json");
  writeFileSync(file, JSON.stringify(fixture));
  const seeded = await tool("deploy/seed/main.js", file);
  if (seeded.code !== 0) {
    await close();
    throw new Error(`the fixture was not loaded: ${seeded.output}`);
  }
  const partnerAddress = cluster.file.addresses["partner"] ?? "";
  return { cluster, dataDir, hops, baseUrl: `http://${edge.address}`, partnerAddress, tool, close };
}
