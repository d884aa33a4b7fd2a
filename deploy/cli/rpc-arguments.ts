import { parseArgs } from "node:util";

export interface RpcArguments {
  help: boolean;
  list: boolean;
  describe?: string | undefined;
  /** The rpc to call, or with `list` a part of the names to show. */
  rpc?: string | undefined;
  /** JSON of the request; "-" reads standard input. */
  request: string;
  tenant?: string | undefined;
  interaction?: string | undefined;
  userToken?: string | undefined;
  address?: string | undefined;
  timeoutMs: number;
}

export const usage = `npm run rpc -- SERVICE/RPC ['{…}'] [options]     calls an rpc of the running cluster as the operator
npm run rpc -- --list [PART]                      names of all rpcs
npm run rpc -- --describe NAME                    a service, rpc, message or enum
npm run rpc -- --help                             this

  --tenant ID         the tenant that the call is for
  --interaction ID    interaction id; made when absent
  --user-token TOKEN  access token of the user on whose behalf it is
  --address HOST:PORT instead of the address in cluster.json
  --timeout SECONDS   10 by default
  The request is JSON, {} by default, "-" reads it from standard input; 64-bit integers may be strings.`;

/** Reads the command line. Throws an Error with a sentence for what it does not understand. */
export function readRpcArguments(args: readonly string[]): RpcArguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: "boolean", short: "h", default: false },
      list: { type: "boolean", default: false },
      describe: { type: "string" },
      tenant: { type: "string" },
      interaction: { type: "string" },
      "user-token": { type: "string" },
      address: { type: "string" },
      timeout: { type: "string", default: "10" },
    },
  });
  const [rpc, request = "{}", ...rest] = positionals;
  if (rest.length > 0) throw new Error(`${rest.join(" ")}: quote the request's JSON as one argument`);
  if (!values.help && !values.list && values.describe === undefined && rpc === undefined)
    throw new Error("name an rpc, --list or --describe");
  const timeoutMs = Number(values.timeout) * 1000;
  if (!(timeoutMs > 0)) throw new Error("--timeout must be a number of seconds");
  const { help, list, tenant, interaction, address } = values;
  return {
    help,
    list,
    describe: values.describe,
    rpc,
    request,
    tenant,
    interaction,
    userToken: values["user-token"],
    address,
    timeoutMs,
  };
}
