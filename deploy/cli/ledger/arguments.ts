import { parseArgs } from "node:util";

export const commands = ["verify", "export", "import", "trial-balance"] as const;
export type Command = (typeof commands)[number];

export interface LedgerArguments {
  command: Command;
  /** Whose journal; of verify several, or none for every one that the ledger has. */
  tenants: string[];
  /** "-" is standard output, or input. */
  file: string;
  /** Published heads that verify holds the journal against. */
  heads?: string | undefined;
  address?: string | undefined;
}

export const usage = `npm run ledger -- verify        --tenant ID [--heads FILE]    recomputes the chain and every balance; --tenant may come again
npm run ledger -- verify        --all [--heads FILE]          the same of every tenant that the ledger or FILE has
npm run ledger -- export        --tenant ID [--file FILE]     the whole journal as JSON lines
npm run ledger -- import        --tenant ID [--file FILE]     an exported journal into a ledger that lacks it, checked line by line
npm run ledger -- trial-balance --tenant ID                   debits and credits per code and currency

  --file FILE          "-", the default, is standard output or input
  --heads FILE         heads that the ledger published (HEADS_FILE)
  --address HOST:PORT  instead of the ledger in cluster.json
  Where LEDGER_ADDRESS and OPERATOR_KEY_FILE are set (TLS_DIR, TLS_TRUST_DOMAIN with mutual TLS), that ledger is asked.`;

/** Reads the command line. Throws an Error with a sentence for what it does not understand. */
export function readLedgerArguments(args: readonly string[]): LedgerArguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      tenant: { type: "string", multiple: true, default: [] },
      all: { type: "boolean", default: false },
      file: { type: "string", default: "-" },
      heads: { type: "string" },
      address: { type: "string" },
    },
  });
  const [name = "", ...rest] = positionals;
  const command = commands.find((one) => one === name);
  if (command === undefined) throw new Error(`name a command: ${commands.join(", ")}`);
  if (rest.length > 0) throw new Error(`${rest.join(" ")}: there is nothing more to name`);
  const { tenant: tenants, all } = values;
  if (all && command !== "verify") throw new Error("--all is for verify");
  if (all && tenants.length > 0) throw new Error("--all and --tenant exclude each other");
  if (!all && (tenants.length === 0 || tenants.includes(""))) throw new Error("--tenant is needed");
  if (tenants.length > 1 && command !== "verify") throw new Error("--tenant may come again for verify only");
  if (values.heads !== undefined && command !== "verify") throw new Error("--heads is for verify");
  return { command, tenants, file: values.file, heads: values.heads, address: values.address };
}
