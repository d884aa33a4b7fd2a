import { readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { StartError } from "./start-error.js";

/**
 * `<DATA_DIR>/cluster.json`: what runs at this moment, for the rpc tool, the seed, the demo and
 * tests.
 */
export interface ClusterFile {
  /** The runner's process. */
  pid: number;
  startedAt: string;
  baseUrl: string;
  dataDir: string;
  mongoUri: string;
  redisUrl: string;
  keys: KeyFiles;
  /** "host:port" of each service's gRPC server. */
  addresses: Record<string, string>;
  processes: Record<string, ClusterFileProcess>;
}

export interface ClusterFileProcess {
  pid: number;
  /**
   * Tells a process from a later one that got the same pid; empty where the system does not say.
   */
  startToken: string;
  port: number;
  adminPort?: number;
  log: string;
}

export interface KeyFiles {
  /** Public keys of all services, a JWKS. */
  jwksFile: string;
  /** The operator's private key, a JWK. */
  operatorKeyFile: string;
  /** 32 bytes in base64. */
  masterKeyFile: string;
  /** API key and callback secret of the sandbox partner, JSON. */
  partnerFile: string;
  /** Private key of each service, a JWK. */
  serviceKeyFiles: Record<string, string>;
}

/** DATA_DIR of the environment, `.data` by default. */
export function dataDirOf(env: NodeJS.ProcessEnv = process.env): string {
  return env.DATA_DIR || ".data";
}

/** Where the state of the cluster of `dataDir` is kept. */
export function clusterFilePath(dataDir: string): string {
  return join(dataDir, "cluster.json");
}

/** The state of the cluster that runs on `dataDir`. Throws StartError when none does. */
export function readClusterFile(dataDir: string): ClusterFile {
  try {
    return JSON.parse(readFileSync(clusterFilePath(dataDir), "utf8")) as ClusterFile;
  } catch {
    throw new StartError(`No cluster runs on ${dataDir}: start one with \`npm start\`.`);
  }
}

/** Replaces the file in one step, readable by its owner only. */
export async function writeClusterFile(file: ClusterFile): Promise<void> {
  const path = clusterFilePath(file.dataDir);
  const scratch = `${path}.${process.pid}`;
  await writeFile(scratch, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
  await rename(scratch, path);
}
