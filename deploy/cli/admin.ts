import { text } from "node:stream/consumers";
import { IdentityServiceDefinition } from "../../proto/gen/identity/v1/identity.js";
import { defaultTrustDomain } from "../../services/shared/config.js";
import { createClient } from "../../services/shared/grpc/client.js";
import { loadTls } from "../../services/shared/grpc/tls.js";
import { readPrivateKey } from "../../services/shared/tokens/key-files.js";
import { createServiceTokenSigner } from "../../services/shared/tokens/service-tokens.js";
import { Refusal } from "../../services/shared/refusal.js";
import { dataDirOf, readClusterFile } from "../local/cluster-file.js";
import { adminUsage, readAdminArguments, type AdminCommand } from "./admin-arguments.js";
import { runAdmin } from "./admin-commands.js";

/** Where identity answers: as the variables say (on Kubernetes), else in the cluster that runs on DATA_DIR. */
function accessOf({ IDENTITY_ADDRESS, OPERATOR_KEY_FILE }: NodeJS.ProcessEnv): { address: string; keyFile: string } {
  if (IDENTITY_ADDRESS && OPERATOR_KEY_FILE) return { address: IDENTITY_ADDRESS, keyFile: OPERATOR_KEY_FILE };
  const dataDir = dataDirOf();
  const { addresses, keys } = readClusterFile(dataDir);
  const address = addresses["identity"];
  if (address === undefined) throw new Error(`The cluster on ${dataDir} has no identity service.`);
  return { address, keyFile: keys.operatorKeyFile };
}

async function main(command: AdminCommand): Promise<void> {
  const { address, keyFile } = accessOf(process.env);
  const { TLS_DIR: dir = "", TLS_TRUST_DOMAIN: trustDomain = defaultTrustDomain } = process.env;
  const tls = dir === "" ? undefined : await loadTls({ dir, trustDomain });
  const signer = createServiceTokenSigner({ service: "operator", privateJwk: await readPrivateKey(keyFile), tls });
  const identity = createClient(IdentityServiceDefinition, { address, audience: "identity", signer });
  try {
    await runAdmin(command, {
      identity,
      print: (line) => void process.stdout.write(`${line}\n`),
      input: () => text(process.stdin),
    });
  } finally {
    identity.close();
    tls?.close();
  }
}

/** Wrong arguments show the usage; what fails afterwards is one sentence, or one for each fault. */
async function run(): Promise<void> {
  let command: AdminCommand;
  try {
    command = readAdminArguments(process.argv.slice(2));
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${adminUsage}`);
    process.exitCode = 2;
    return;
  }
  try {
    await main(command);
  } catch (error) {
    const faults = error instanceof Refusal ? (error.details?.errors ?? []) : [];
    console.error((error as Error).message);
    for (const { path, message } of faults) console.error(`  ${path}  ${message}`);
    process.exitCode = 1;
  }
}

await run();
