import { join } from "node:path";
import { defaultTrustDomain } from "../../services/kernel/process/config.js";
import { asksForHelp } from "../cli/help.js";
import { dataDirOf, readClusterFile } from "../local/cluster-file.js";
import { createOperatorClients, type OperatorAccess } from "../local/operator-clients.js";
import { StartError } from "../local/start-error.js";
import { applyFixture } from "./apply.js";
import { awaitServices } from "./await-services.js";
import { writeDemoFile } from "./demo-file.js";
import { FixtureFaults, fixtureFolder, fixtureJsonSchema, readFixture, type Fault } from "./fixture.js";
import type { Fixture } from "./fixture-schema.js";

const usage =
  "usage: npm run seed -- FILE    (a YAML or JSON fixture, see docs/fixtures.md), --demo for the demo tenants, or --schema for the JSON Schema of fixtures";

/**
 * Loads a fixture into the cluster that runs on DATA_DIR, or into the one that the *_ADDRESS
 * variables name.
 */
async function main(argument: string | undefined): Promise<void> {
  if (argument !== undefined && asksForHelp([argument])) return console.log(usage);
  if (argument === undefined) throw new StartError(usage);
  if (argument === "--schema") return console.log(JSON.stringify(fixtureJsonSchema, undefined, 2));
  const isDemo = argument === "--demo";
  const file = isDemo ? join(fixtureFolder, "demo.yaml") : argument;
  const fixture = await readFixture(file);
  const dataDir = dataDirOf();
  const access = accessOf(process.env, dataDir);
  if (isDemo && access.investment === undefined) leaveOutInvestments(fixture);
  const say = (line: string) => console.log(`seed: ${line}`);
  const { operatorKeyFile: _key, tls: _tls, ...addresses } = access;
  // An install starts it beside the services; elsewhere they are there, or the first call says so.
  const waitS = Number(process.env["BOOT_WAIT_S"] ?? 0);
  if (waitS > 0) {
    const there = Object.values(addresses).filter((address) => address !== undefined);
    await awaitServices(there, waitS, say);
  }
  const clients = await createOperatorClients(access);
  try {
    const { tenants, faults } = await applyFixture(fixture, clients, say, { keepsPreferences: isDemo });
    if (faults.length > 0) throw new FixtureFaults(file, faults);
    if (isDemo) await writeDemoFile(dataDir, process.env["BASE_URL"] ?? readClusterFile(dataDir).baseUrl, tenants);
  } finally {
    clients.close();
  }
}

/** The demo is what the system can do; a fixture of one's own that asks for more has faults. */
function leaveOutInvestments({ tenants }: Fixture): void {
  for (const tenant of tenants) delete tenant.investmentProducts;
}

function accessOf(env: NodeJS.ProcessEnv, dataDir: string): OperatorAccess {
  const {
    IDENTITY_ADDRESS,
    COMPLIANCE_ADDRESS,
    REMITTANCE_ADDRESS,
    WALLET_ADDRESS,
    LEDGER_ADDRESS,
    INVESTMENT_ADDRESS,
    LENDING_ADDRESS,
    OPERATOR_KEY_FILE,
  } = env;
  if (
    IDENTITY_ADDRESS &&
    COMPLIANCE_ADDRESS &&
    REMITTANCE_ADDRESS &&
    WALLET_ADDRESS &&
    LEDGER_ADDRESS &&
    LENDING_ADDRESS &&
    OPERATOR_KEY_FILE
  ) {
    return {
      identity: IDENTITY_ADDRESS,
      compliance: COMPLIANCE_ADDRESS,
      remittance: REMITTANCE_ADDRESS,
      wallet: WALLET_ADDRESS,
      ledger: LEDGER_ADDRESS,
      investment: INVESTMENT_ADDRESS || undefined,
      lending: LENDING_ADDRESS,
      operatorKeyFile: OPERATOR_KEY_FILE,
      tls: tlsOf(env),
    };
  }
  const { addresses, keys } = readClusterFile(dataDir);
  const at = (service: string): string => {
    const address = addresses[service];
    if (address === undefined) throw new StartError(`The cluster on ${dataDir} has no ${service} service.`);
    return address;
  };
  return {
    identity: at("identity"),
    compliance: at("compliance"),
    remittance: at("remittance"),
    wallet: at("wallet"),
    ledger: at("ledger"),
    investment: addresses["investment"],
    lending: at("lending"),
    operatorKeyFile: keys.operatorKeyFile,
  };
}

function tlsOf({ TLS_DIR: dir, TLS_TRUST_DOMAIN: trustDomain = defaultTrustDomain }: NodeJS.ProcessEnv) {
  return dir === undefined || dir === "" ? undefined : { dir, trustDomain };
}

function printFaults(faults: readonly Fault[]): void {
  for (const { path, message } of faults) console.error(`  ${path}  ${message}`);
}

main(process.argv[2]).catch((error: Error) => {
  console.error(`seed: ${error.message}`);
  if (error instanceof FixtureFaults) printFaults(error.faults);
  process.exitCode = 1;
});
