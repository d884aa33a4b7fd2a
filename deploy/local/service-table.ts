import { mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { KeyFiles } from "./cluster-file.js";
import { StartError } from "./start-error.js";

export interface ServiceRow {
  name: string;
  /** Built entry point, below dist. */
  main: string;
  /**
   * Services whose addresses it is given: the arrows of the design, which become network policies.
   */
  calls: readonly string[];
  /** Ceiling of its JavaScript heap. */
  heapMb: number;
  /** Half of its young generation; 4 where absent. More of it saves a busy process collections. */
  youngMb?: number;
  /**
   * How far the old generation may grow beyond what is alive before it is collected, in percent;
   * left to V8 where absent (docs/decisions/0010).
   */
  growthPercent?: number;
  /** What it needs beyond what every service gets. */
  env?: (own: Surroundings) => NodeJS.ProcessEnv;
  /**
   * A stand-in for an outside party: it has no service key, and its callers get a URL instead of an
   * address.
   */
  outside?: true;
}

/** Where a process finds itself. */
export interface Surroundings {
  /** Its own, "host:port". */
  address: string;
  keys: KeyFiles;
  dataDir: string;
  /** Of the gateway, as processes on this machine reach it. */
  gatewayUrl: string;
}

/** A first plugin is a program on this machine. */
const pluginsOnThisMachine = "http://localhost:*,http://127.0.0.1:*";

/**
 * Every service of the cluster but the gateway, in the order they are started. A new service is a
 * new row.
 */
export const serviceTable: readonly ServiceRow[] = [
  {
    name: "identity",
    main: "services/identity/main.js",
    // From the outbox: decided approvals go to the service that asked, messages to the partner,
    // events to events, which it asks for the words of messages. Before somebody is erased it asks
    // those who may have money of theirs.
    calls: ["compliance", "remittance", "wallet", "lending", "investment", "ledger", "events", "partner"],
    heapMb: 192,
    youngMb: 8,
    growthPercent: 100,
    env: ({ keys }) => ({
      ...partnerSecrets(keys),
      MASTER_KEY_FILE: keys.masterKeyFile,
      PLUGIN_SANDBOX_ORIGINS: pluginsOnThisMachine,
    }),
  },
  {
    name: "compliance",
    main: "services/compliance/main.js",
    // From the outbox: decisions on waiting transactions to remittance, blocks to remittance and
    // the wallet, events, and the words of messages from events.
    calls: ["identity", "remittance", "wallet", "events", "partner"],
    // Room for the published lists, and for one of them twice while it is swapped.
    heapMb: 256,
    // A busy one takes a seventh less of a processor for a check than with 4.
    youngMb: 16,
    growthPercent: 200,
    env: ({ keys }) => ({
      ...partnerSecrets(keys),
      MASTER_KEY_FILE: keys.masterKeyFile,
      SCREENING_LISTS_EVERY_S: "60",
      PLUGIN_SANDBOX_ORIGINS: pluginsOnThisMachine,
    }),
  },
  {
    name: "ledger",
    main: "services/ledger/main.js",
    // Tells what came into wallets and left them, out of its journal.
    calls: ["identity", "events"],
    heapMb: 256,
    // Pages of transfers outlive fewer collections, which building a package mostly waited for.
    youngMb: 8,
    growthPercent: 100,
    // With one replica there is nobody to share with.
    env: ({ address }) => ({ ADVERTISED_ADDRESS: address, SHARE_EVERY_MS: "5000" }),
  },
  {
    name: "remittance",
    main: "services/remittance/main.js",
    // Reports refunds to the wallet and tells events, from the outbox.
    calls: ["identity", "compliance", "ledger", "wallet", "events", "partner"],
    heapMb: 192,
    growthPercent: 100,
    env: ({ keys, gatewayUrl, dataDir }) => ({
      ...partnerSecrets(keys),
      MASTER_KEY_FILE: keys.masterKeyFile,
      PARTNER_CALLBACK_BASE_URL: gatewayUrl,
      // The sandbox partner speaks it.
      PARTNER_CONTRACT: "2",
      PLUGIN_SANDBOX_ORIGINS: pluginsOnThisMachine,
      PLUGIN_FILES_DIR: bankFilesFolder(dataDir),
      PAYOUT_BATCH_S: "5",
      PARTNER_STATEMENT_EVERY_S: "10",
    }),
  },
  {
    name: "wallet",
    main: "services/wallet/main.js",
    // Its bank is the sandbox partner here.
    calls: ["identity", "compliance", "remittance", "ledger", "events", "partner"],
    heapMb: 192,
    youngMb: 16,
    growthPercent: 200,
    env: ({ keys }) => ({
      ...partnerSecrets(keys),
      BANK_CREDITS_EVERY_S: "5",
      PLUGIN_SANDBOX_ORIGINS: pluginsOnThisMachine,
    }),
  },
  {
    name: "investment",
    main: "services/investment/main.js",
    calls: ["identity", "compliance", "remittance", "wallet", "ledger", "events"],
    heapMb: 160,
    env: () => ({ INVESTMENT_DAY_EVERY_S: "10" }),
  },
  {
    name: "lending",
    main: "services/lending/main.js",
    // Its bank and its card acquirer are the sandbox partner here.
    calls: ["identity", "compliance", "ledger", "wallet", "events", "partner"],
    // Its own, and as much again while a thread works on a day.
    heapMb: 144,
    env: ({ keys }) => ({ ...partnerSecrets(keys), PLUGIN_SANDBOX_ORIGINS: pluginsOnThisMachine }),
  },
  {
    name: "events",
    main: "services/events/main.js",
    // Who sends its messages is the sandbox partner here. Receivers of webhooks are nobody's row.
    calls: ["identity", "partner"],
    heapMb: 192,
    youngMb: 16,
    growthPercent: 100,
    env: ({ keys }) => ({
      ...partnerSecrets(keys),
      MASTER_KEY_FILE: keys.masterKeyFile,
      // A first receiver is a program on this machine.
      WEBHOOK_SANDBOX_ORIGINS: "http://localhost:*,http://127.0.0.1:*",
      PLUGIN_SANDBOX_ORIGINS: pluginsOnThisMachine,
    }),
  },
  {
    name: "partner",
    main: "deploy/partner/main.js",
    calls: [],
    heapMb: 96,
    outside: true,
    env: ({ keys, dataDir }) => ({
      ...partnerSecrets(keys),
      PARTNER_BOOKS_FILE: join(dataDir, "partner", "books.db"),
    }),
  },
];

/**
 * The table for a system that runs without some of them, as WITHOUT names them. Throws StartError
 * for what nothing runs without (docs/decisions/0030).
 */
export function servicesWithout(names: string | undefined): readonly ServiceRow[] {
  const without = (names ?? "").split(",").filter(Boolean);
  const needed = without.find((name) => name !== "investment");
  if (needed) throw new StartError(`WITHOUT may name investment alone: nothing runs without ${needed}.`);
  const isThere = (name: string) => !without.includes(name);
  return serviceTable.filter(({ name }) => isThere(name)).map((row) => ({ ...row, calls: row.calls.filter(isThere) }));
}

/** Where the other side of banks that take files is, on this machine. */
function bankFilesFolder(dataDir: string): string {
  const folder = resolve(dataDir, "bank-files");
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** What the sandbox partner and we know each other by. */
function partnerSecrets({ partnerFile }: KeyFiles): NodeJS.ProcessEnv {
  const { apiKey, callbackSecret } = JSON.parse(readFileSync(partnerFile, "utf8")) as Record<string, string>;
  return { PARTNER_API_KEY: apiKey, PARTNER_CALLBACK_SECRET: callbackSecret };
}

/** The one process that clients reach. */
export function gatewayRow(services: readonly ServiceRow[]): ServiceRow {
  const ours = services.filter((row) => !row.outside);
  return { name: "gateway", main: "gateway/main.js", calls: ours.map((row) => row.name), heapMb: 256, youngMb: 8 };
}

/**
 * Options of Node that keep an idle process small, and a busy one from collecting its old
 * generation all the time.
 */
export function nodeOptions(row: ServiceRow): string[] {
  const { heapMb, youngMb = 4, growthPercent = 0 } = row;
  return [
    "--enable-source-maps",
    `--max-old-space-size=${heapMb}`,
    `--max-semi-space-size=${youngMb}`,
    `--heap-growing-percent=${growthPercent}`,
  ];
}
