import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ComplianceConfig } from "../../services/compliance/config.js";
import { forkSource } from "./forked-source.js";
import type { OwnServers } from "./own-servers.js";
import type { ServiceNetwork } from "./service-network.js";

/** What compliance asks to be sent to a customer. */
export interface SentMessage {
  channel: string;
  text: string;
}

export type KillableCompliance = Awaited<ReturnType<typeof startKillableCompliance>>;

/**
 * Compliance as a process of its own that ends at a crash point and is there again, at the same
 * port: the next one stands by with its code loaded. `onSent` hears of messages to customers.
 */
export async function startKillableCompliance(
  network: ServiceNetwork,
  servers: OwnServers,
  addresses: Partial<ComplianceConfig>,
  onSent: (message: SentMessage) => void = () => undefined,
) {
  const folder = mkdtempSync(join(tmpdir(), "manilla-compliance-"));
  const pointFile = join(folder, "point");
  const masterKeyFile = join(folder, "master.key");
  writeFileSync(masterKeyFile, randomBytes(32).toString("base64"));
  const keys = network.keysOf("compliance");
  let child: ChildProcess | undefined;
  let next: ChildProcess | undefined;
  let port = 0;
  let kills = 0;
  let isOver = false;

  const load = () => forkSource("compliance-process.ts", { CRASH_POINT_FILE: pointFile });

  async function start(): Promise<void> {
    const config = {
      NODE_ENV: "test",
      LOG_LEVEL: "silent",
      HOST: "127.0.0.1",
      PORT: port,
      MONGODB_URI: servers.mongoUri,
      MONGODB_DATABASE: servers.database,
      REDIS_URL: servers.redisUrl,
      SERVICE_KEY_FILE: "",
      SERVICE_JWKS_FILE: "",
      MASTER_KEY_FILE: masterKeyFile,
      ...addresses,
    };
    const ready = Promise.withResolvers<void>();
    const started = (child = next ?? load());
    next = undefined;
    started.on("message", (message: { port?: number; message?: SentMessage }) => {
      if (message.message !== undefined) onSent(message.message);
      if (message.port === undefined) return;
      port = message.port;
      ready.resolve();
    });
    started.once("exit", () => {
      if (isOver) return;
      kills += 1;
      void start();
    });
    started.send({ config, keys });
    await ready.promise;
    next ??= load();
  }

  await start();
  return {
    port,
    /** Kills it with -9 where it passes next. */
    killAt: (point: string): void => writeFileSync(pointFile, point),
    /** Whether it is still to pass there. */
    isToBeKilled: (): boolean => existsSync(pointFile),
    kills: (): number => kills,
    stop(): void {
      isOver = true;
      child?.kill("SIGKILL");
      next?.kill("SIGKILL");
      rmSync(folder, { recursive: true });
    },
  };
}
