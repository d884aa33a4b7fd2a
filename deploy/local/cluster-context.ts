import type { ClusterFile } from "./cluster-file.js";
import type { Patience, PatienceOptions } from "./patience.js";
import { startTokenOf } from "./process-identity.js";
import type { Progress } from "./progress.js";
import type { ServiceRow } from "./service-table.js";
import type { Supervised } from "./supervise.js";

export interface ClusterOptions {
  /** Folder of databases, keys, logs and cluster.json. */
  dataDir: string;
  /** The gateway's port; 0 takes a free one. */
  port: number;
  /** Begins with empty databases and new keys. */
  fresh?: boolean | undefined;
  quiet?: boolean | undefined;
  /** Variables for every service and the gateway, such as LOG_LEVEL. */
  env?: NodeJS.ProcessEnv | undefined;
  /** Variables for single processes, by name. */
  processEnv?: Record<string, NodeJS.ProcessEnv> | undefined;
  /**
   * Processes per service, by name; 1 where absent. The second of ledger is named ledger-2.
   * Addresses name the first.
   */
  replicas?: Record<string, number> | undefined;
  services?: readonly ServiceRow[] | undefined;
  /** False leaves the gateway out. */
  gateway?: boolean | undefined;
  /** Servers that exist, instead of our own. */
  mongoUri?: string | undefined;
  redisUrl?: string | undefined;
  /**
   * Where `from` finds `to` ("mongodb", "redis" and "partner" included) in place of `address`
   * (host:port), so that tests can stand between two processes. Asked once per hop.
   */
  through?: ((hop: Hop) => Promise<string> | string) | undefined;
  /** How soon a process that ended by itself is started again; 0.25 s to 10 s when absent. */
  backoff?: { firstMs: number; maxMs: number } | undefined;
  /** Ends a start that is under way. */
  signal?: AbortSignal | undefined;
  /**
   * How processes are waited for, in place of a quarter of an hour with a line every ten seconds.
   */
  patience?: Omit<PatienceOptions, "print"> | undefined;
}

/** One process's way to another. */
export interface Hop {
  from: string;
  to: string;
  address: string;
}

/** What the parts of a start share. */
export interface Context {
  options: ClusterOptions;
  progress: Progress;
  /** How every process is waited for. */
  patience: Patience;
  /** Aborted when the cluster ends, also while it starts. */
  signal: AbortSignal;
  dataDir: string;
  /** MongoDB may not be there yet. */
  isStarting: boolean;
  /** In the order of their start. */
  processes: Supervised[];
  file: ClusterFile;
  /** Writes cluster.json. */
  save(): Promise<void>;
}

/** Writes into cluster.json that a process was started. */
export function record(
  context: Context,
  name: string,
  about: { pid: number; port: number; adminPort?: number; log: string },
): void {
  context.file.processes[name] = { ...about, startToken: startTokenOf(about.pid) };
  void context.save();
}

/** Address that the gateway listens on: the loopback, unless GATEWAY_HOST says otherwise. */
export function gatewayHost(options: ClusterOptions): string {
  return options.env?.GATEWAY_HOST ?? process.env.GATEWAY_HOST ?? "127.0.0.1";
}
