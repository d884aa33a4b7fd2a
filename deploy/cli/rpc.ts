import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { ServiceName } from "../../services/kernel/grpc/context.js";
import { openOperatorReach } from "../local/operator-access.js";
import { projectRoot } from "../local/project.js";
import { callRpc, type CallOutcome } from "./call.js";
import { describe, listRpcs } from "./describe.js";
import { misuseText, outliveReaders } from "./help.js";
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
  const outcome = await call(rpc, request, args);
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

/**
 * By the operator's own credential: each service decides which of its rpcs the operator may call.
 */
async function call(rpc: Rpc, request: object, args: RpcArguments): Promise<CallOutcome> {
  const { addressOf, signer, close } = await openOperatorReach();
  // Packages are named after their services: "ledger.v1.LedgerService/GetAccount".
  const service = rpc.name.slice(0, rpc.name.indexOf(".")) as ServiceName;
  try {
    return await callRpc(rpc, request, {
      address: args.address ?? addressOf(service),
      tls: signer.tls && { credentials: signer.tls.channelCredentials, name: signer.tls.nameOf(service) },
      serviceToken: await signer.tokenFor(service),
      tenantId: args.tenant,
      interactionId: args.interaction ?? randomUUID(),
      userToken: args.userToken,
      timeoutMs: args.timeoutMs,
    });
  } finally {
    close();
  }
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
    console.error(misuseText(error, usage));
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

outliveReaders();
await run();
