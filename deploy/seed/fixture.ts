import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import { z } from "zod";
import { fixtureSchema, type Fixture, type FixtureCustomer, type FixtureTenant } from "./fixture-schema.js";
import { fixtureContent } from "./fixture-text.js";

/** One thing wrong with a fixture: where (JSON pointer) and what. */
export interface Fault {
  path: string;
  message: string;
}

/** A fixture that cannot be loaded, with every fault found in it. */
export class FixtureFaults extends Error {
  readonly faults: readonly Fault[];

  constructor(source: string, faults: readonly Fault[]) {
    super(`${source}: ${faults.length} fault${faults.length === 1 ? "" : "s"}`);
    this.faults = faults;
  }
}

/** Fixtures of the repository; the npm scripts and the image both run at the project's root. */
export const fixtureFolder = join("deploy", "seed");

/**
 * Reads a YAML or JSON fixture and checks it; throws FixtureFaults that names every fault by its
 * path.
 */
export async function readFixture(file: string): Promise<Fixture> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new FixtureFaults(file, [{ path: "/", message: `cannot be read: ${error.code ?? error.message}` }]);
  });
  const fault = (message: string) => new FixtureFaults(file, [{ path: "/", message }]);
  return checkFixture(file, fixtureContent(text, fault));
}

export const fixtureJsonSchema = z.toJSONSchema(fixtureSchema);

/** Checks parsed content against its JSON Schema and the references inside it. */
export function checkFixture(source: string, content: unknown): Fixture {
  const ajv = new Ajv2020({ allErrors: true });
  const validate = ajv.compile<Fixture>(fixtureJsonSchema);
  if (!validate(content)) throw new FixtureFaults(source, (validate.errors ?? []).map(faultOf));
  const faults = referenceFaults(content);
  if (faults.length > 0) throw new FixtureFaults(source, faults);
  return content;
}

function faultOf(error: ErrorObject): Fault {
  const params = error.params as { additionalProperty?: string; allowedValues?: unknown[] };
  const detail = params.additionalProperty ?? params.allowedValues?.join(", ");
  return { path: error.instancePath || "/", message: `${error.message ?? "invalid"}${detail ? ` (${detail})` : ""}` };
}

/** Recipients' wallets that are named by their owners. */
function walletFaults(faults: Fault[], path: string, { beneficiaries = [] }: FixtureCustomer, tenant: FixtureTenant) {
  for (const [index, { creditParty, currency }] of beneficiaries.entries()) {
    const { walletaccountno = "" } = creditParty;
    if (!walletaccountno.includes("@")) continue;
    const owner = (tenant.customers ?? []).find(({ email }) => email === walletaccountno);
    if (owner?.wallets?.some((wallet) => wallet.currency === currency)) continue;
    const message = `is not the e-mail of a customer with a wallet in ${currency}`;
    faults.push({ path: `${path}/${index}/creditParty/walletaccountno`, message });
  }
}

/** What a schema cannot say: unique keys, agents and wallets that exist. */
function referenceFaults(fixture: Fixture): Fault[] {
  const faults: Fault[] = [];
  unique(faults, "/tenants", "id", fixture.tenants);
  for (const [index, tenant] of fixture.tenants.entries()) {
    const at = `/tenants/${index}`;
    const people = [...(tenant.staff ?? []), ...(tenant.customers ?? [])];
    unique(faults, `${at} (staff and customers)`, "email", people);
    unique(faults, `${at}/customers`, "code", tenant.customers ?? []);
    unique(faults, `${at}/investmentProducts`, "id", tenant.investmentProducts ?? []);
    unique(faults, `${at}/loanProducts`, "id", tenant.loanProducts ?? []);
    const agents = new Set((tenant.staff ?? []).filter((user) => user.role === "AGENT").map((user) => user.email));
    for (const [position, customer] of (tenant.customers ?? []).entries()) {
      const where = `${at}/customers/${position}`;
      unique(faults, `${where}/wallets`, "currency", customer.wallets ?? []);
      unique(faults, `${where}/loans`, "key", customer.loans ?? []);
      walletFaults(faults, `${where}/beneficiaries`, customer, tenant);
      if (customer.agent !== undefined && !agents.has(customer.agent)) {
        faults.push({ path: `${where}/agent`, message: "is not the e-mail of an AGENT of this tenant's staff" });
      }
    }
  }
  return faults;
}

function unique<K extends string>(faults: Fault[], path: string, key: K, items: readonly Record<K, string>[]): void {
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    if (seen.has(item[key]))
      faults.push({ path: `${path}/${index}/${key}`, message: `"${item[key]}" stands there twice` });
    seen.add(item[key]);
  }
}
