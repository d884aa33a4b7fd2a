import type { KeyFiles } from "./cluster-file.js";

export interface ServiceRow {
  name: string;
  /** Built entry point, below dist. */
  main: string;
  /** Services whose addresses it is given: the arrows of the design, which become network policies. */
  calls: readonly string[];
  /** Ceiling of its JavaScript heap. */
  heapMb: number;
  /** What it needs beyond what every service gets. */
  env?: (own: { address: string; keys: KeyFiles }) => NodeJS.ProcessEnv;
}

/** Every service of the cluster but the gateway, in the order they are started. A new service is a new row. */
export const serviceTable: readonly ServiceRow[] = [
  {
    name: "identity",
    main: "services/identity/main.js",
    calls: [],
    heapMb: 192,
    env: ({ keys }) => ({ MASTER_KEY_FILE: keys.masterKeyFile }),
  },
  { name: "compliance", main: "services/compliance/main.js", calls: ["identity"], heapMb: 192 },
  {
    name: "ledger",
    main: "services/ledger/main.js",
    calls: ["identity"],
    heapMb: 256,
    env: ({ address }) => ({ ADVERTISED_ADDRESS: address }),
  },
  { name: "remittance", main: "services/remittance/main.js", calls: ["identity", "compliance", "ledger"], heapMb: 192 },
  {
    name: "wallet",
    main: "services/wallet/main.js",
    calls: ["identity", "compliance", "remittance", "ledger"],
    heapMb: 192,
  },
];

/** The one process that clients reach. */
export function gatewayRow(services: readonly ServiceRow[]): ServiceRow {
  return { name: "gateway", main: "gateway/main.js", calls: services.map((row) => row.name), heapMb: 256 };
}

/** Options of Node that keep an idle process small. */
export function nodeOptions(row: ServiceRow): string[] {
  return ["--enable-source-maps", `--max-old-space-size=${row.heapMb}`, "--max-semi-space-size=4"];
}
