import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { JWK } from "jose";
import type { ServiceName } from "../../services/shared/grpc/context.js";
import { createServiceTokenSigner } from "../../services/shared/tokens/service-tokens.js";
import { dataDirOf, readClusterFile } from "../local/cluster-file.js";
import { projectRoot } from "../local/project.js";
import { callRpc, type CallOutcome } from "./call.js";
import { describe, listRpcs } from "./describe.js";
import { answerToJson, requestFromJson } from "./messages.js";
import { readRpcArguments, usage, type RpcArguments } from "./rpc-arguments.js";
import { loadSchema, matches, type Rpc, type Schema } from "./schema.js";

async function main(args: RpcArguments): Promise<void> {
  if (args.help) return print(usage);
  const schema = loadSchema(join(projectRoot(), "proto"));
  if (args.list) return print(listRpcs(schema, args.rpc));
  if (args.describe !== undefined) {
    const described = describe(schema, args.describe);
    if (described === undefined) throw new Error(`nothing is named ${args.describe}: see --list`);
    return print(described);
  }
  const rpc = findRpc(schema, args.rpc ?? "");
  const json = args.request === "-" ? await text(process.stdin) : args.request;
  const request = requestFromJson(schema, rpc.request, json);
  const outcome = await callRpc(rpc, request, await inputOf(rpc, args));
  show(schema, rpc, outcome);
  if (outcome.kind !== "answer" && args.tenant === undefined) {
    console.error("(no tenant was named: most rpcs are for one, which --tenant ID names)");
  }
}

function findRpc(schema: Schema, name: string): Rpc {
  const found = matches(schema.rpcs.keys(), name);
  const rpc = schema.rpcs.get(found[0] ?? "");
  if (!rpc) throw new Error(`no rpc is named ${name}: see --list`);
  if (found.length > 1) throw new Error(`${name} may be ${found.join(" or ")}`);
  return rpc;
}

/** The operator's own credential: each service decides which of its rpcs the operator may call. */
async function inputOf(rpc: Rpc, args: RpcArguments) {
  const dataDir = dataDirOf();
  const { addresses, keys } = readClusterFile(dataDir);
  // Packages are named after their services: "ledger.v1.LedgerService/GetAccount".
  const service = rpc.name.slice(0, rpc.name.indexOf("."));
  const address = args.address ?? addresses[service];
  if (address === undefined) throw new Error(`the cluster on ${dataDir} has no service ${service}`);
  const privateJwk = JSON.parse(readFileSync(keys.operatorKeyFile, "utf8")) as JWK;
  const signer = createServiceTokenSigner({ service: "operator", privateJwk });
  return {
    address,
    serviceToken: await signer.tokenFor(service as ServiceName),
    tenantId: args.tenant,
    interactionId: args.interaction ?? randomUUID(),
    userToken: args.userToken,
    timeoutMs: args.timeoutMs,
  };
}

function show(schema: Schema, rpc: Rpc, outcome: CallOutcome): void {
  if (outcome.kind === "answer") {
    if (outcome.replayed) console.error("(the stored answer to an earlier request with this key)");
    return print(JSON.stringify(answerToJson(schema, rpc.response, outcome.answer), null, 2));
  }
  process.exitCode = 1;
  if (outcome.kind === "failure") return console.error(`failed: ${outcome.status}: ${outcome.message}`);
  console.error(`refused: ${outcome.code}: ${outcome.message}`);
  if (outcome.details !== undefined) console.error(JSON.stringify(outcome.details, null, 2));
}

function print(output: string): void {
  process.stdout.write(`${output}\n`);
}

/** Wrong arguments show the usage; what fails afterwards is one sentence. */
async function run(): Promise<void> {
  let args: RpcArguments;
  try {
    args = readRpcArguments(process.argv.slice(2));
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    process.exitCode = 2;
    return;
  }
  try {
    await main(args);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}

await run();
