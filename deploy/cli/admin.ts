import { text } from "node:stream/consumers";
import { ScreeningServiceDefinition } from "../../proto/gen/compliance/v1/screening.js";
import { IdentityServiceDefinition } from "../../proto/gen/identity/v1/identity.js";
import { MasterKeyServiceDefinition } from "../../proto/gen/operations/v1/master_key.js";
import { createClient } from "../../services/kernel/grpc/client.js";
import type { ServiceName } from "../../services/kernel/grpc/context.js";
import { Refusal } from "../../services/kernel/refusal.js";
import { openOperatorReach } from "../local/operator-access.js";
import { adminUsage, readAdminArguments, type AdminCommand } from "./admin-arguments.js";
import { asksForHelp, misuseText, outliveReaders } from "./help.js";
import { runAdmin } from "./admin-commands.js";

async function main(command: AdminCommand): Promise<void> {
  const { addressOf, signer, close } = await openOperatorReach();
  const identity = createClient(IdentityServiceDefinition, {
    address: addressOf("identity"),
    audience: "identity",
    signer,
  });
  const opened = [identity as { close(): void }];
  try {
    await runAdmin(command, {
      identity,
      masterKeyOf(service) {
        const client = createClient(MasterKeyServiceDefinition, {
          address: addressOf(service),
          audience: service as ServiceName,
          signer,
        });
        opened.push(client);
        return client;
      },
      screening() {
        const address = addressOf("compliance");
        const client = createClient(ScreeningServiceDefinition, { address, audience: "compliance", signer });
        opened.push(client);
        return client;
      },
      print: (line) => void process.stdout.write(`${line}\n`),
      input: () => text(process.stdin),
    });
  } finally {
    for (const client of opened) client.close();
    close();
  }
}

/** Wrong arguments show the usage; what fails afterwards is one sentence, or one for each fault. */
async function run(args: readonly string[]): Promise<void> {
  if (asksForHelp(args)) {
    process.stdout.write(`${adminUsage}\n`);
    return;
  }
  let command: AdminCommand;
  try {
    command = readAdminArguments(args);
  } catch (error) {
    console.error(misuseText(error, adminUsage));
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

outliveReaders();
await run(process.argv.slice(2));
