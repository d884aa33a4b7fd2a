import { randomBytes, randomUUID } from "node:crypto";
import type { Erasure } from "../../proto/gen/identity/v1/erasure.js";
import { Role, type IdentityServiceDefinition, type Tenant } from "../../proto/gen/identity/v1/identity.js";
import { outgoing, type Client } from "../../services/kernel/grpc/client.js";
import { formatMoney, moneyFromWire, moneyToWire, parseMoney } from "../../services/kernel/money.js";
import { Refusal } from "../../services/kernel/refusal.js";
import { sandboxIdOf } from "../../services/platform/sandbox/sandbox.js";
import type { AdminCommand, TenantOptions } from "./admin-arguments.js";
import { runLists, type ListDeps } from "./admin-lists.js";
import { listMasterKeys, retireMasterKey, rotateMasterKey, type MasterKeyDeps } from "./admin-master-key.js";

export interface AdminDeps extends MasterKeyDeps {
  identity: Client<IdentityServiceDefinition>;
  screening: () => ListDeps["screening"];
  /** Standard input, where a password is read from it. */
  input: () => Promise<string>;
}

/** What operators do with tenants, keys and people. Throws a sentence, or the service's Refusal. */
export async function runAdmin(command: AdminCommand, deps: AdminDeps): Promise<void> {
  const { identity, print } = deps;
  switch (command.name) {
    case "tenant create":
      return createTenant(command, deps);
    case "tenant change":
      return changeTenant(command, deps);
    case "tenant list":
      return listTenants(deps);
    case "tenant show":
      return print(JSON.stringify(shown(await tenantNamed(command.tenant, deps)), null, 2));
    case "manager create":
      return createManager(command, deps);
    case "keys list":
      return printKeys((await identity.listKeys({}, call())).keys, print);
    case "keys rotate": {
      const { keys } = await identity.rotateKeys({ leadS: command.leadS }, call());
      printKeys(keys, print);
      return print(`the new keys are used in ${command.leadS} s; nobody is logged out`);
    }
    case "master-key list":
      return listMasterKeys(deps);
    case "master-key rotate":
      return rotateMasterKey(deps);
    case "master-key retire":
      return retireMasterKey(command.masterKeyId, deps);
    case "erase": {
      const { customerId, reason, tenant } = command;
      const { erasure } = await identity.eraseCustomer({ customerId, reason }, call(tenant));
      return printErasure(erasure, print);
    }
    case "erasure show": {
      const { customerId, tenant } = command;
      const { erasure } = await identity.getErasure({ customerId }, call(tenant));
      return printErasure(erasure, print);
    }
    case "retention apply": {
      const applied = await identity.applyRetention({ disabledForDays: command.days }, call("", 300_000));
      print(`${applied.erased} customers were erased`);
      if (applied.unsettled > 0) print(`${applied.unsettled} were not: money is not settled with them`);
      return;
    }
    case "lists load":
    case "lists list":
    case "lists show":
    case "lists approve":
      return runLists(command, { screening: deps.screening(), print });
  }
}

async function createTenant(command: AdminCommand & { name: "tenant create" }, deps: AdminDeps): Promise<void> {
  const { tenant: tenantId, options } = command;
  if ((await findTenant(tenantId, deps)) !== undefined) throw new Error(`there is a tenant ${tenantId} already`);
  const { hosts = [], name = "" } = options;
  const preference = preferenceOf(options, {
    baseCurrency: "",
    currencies: [],
    countries: [],
    timeZone: "",
    locale: "en",
    agentScope: "",
  });
  const { tenant } = await deps.identity.putTenant({ tenant: { tenantId, name, hosts, preference } }, call());
  deps.print(
    `tenant ${tenant!.tenantId} answers to ${tenant!.hosts.join(", ")}; its sandbox is ${sandboxIdOf(tenantId)}`,
  );
}

async function changeTenant(command: AdminCommand & { name: "tenant change" }, deps: AdminDeps): Promise<void> {
  const { options } = command;
  if (Object.keys(options).length === 0) throw new Error("name what is to be changed");
  const before = await tenantNamed(command.tenant, deps);
  const { hosts = before.hosts, name = before.name } = options;
  const preference = preferenceOf(options, before.preference ?? {});
  const { tenant } = await deps.identity.putTenant({ tenant: { ...before, name, hosts, preference } }, call());
  deps.print(JSON.stringify(shown(tenant!), null, 2));
}

function preferenceOf(
  { name: _name, hosts: _hosts, singlePersonLimits, ...given }: TenantOptions,
  before: Partial<NonNullable<Tenant["preference"]>>,
) {
  const limits = singlePersonLimits?.map(({ kind, amount, currency }) => ({
    kind,
    below: moneyToWire(parseMoney(amount, currency, "--single-person-limit")),
  }));
  return { ...before, ...given, ...(limits && { singlePersonLimits: limits }) };
}

async function listTenants({ identity, print }: AdminDeps): Promise<void> {
  let count = 0;
  for (let pageToken = ""; ;) {
    const page = await identity.listTenants({ pageToken, pageSize: 500 }, call());
    for (const { tenantId, name, hosts, sandboxOf } of page.tenants) {
      print(sandboxOf === "" ? `${tenantId}  ${name}  ${hosts.join(", ")}` : `${tenantId}  ${name}`);
    }
    count += page.tenants.length;
    if (page.nextPageToken === "") break;
    pageToken = page.nextPageToken;
  }
  print(`${count} tenants, sandboxes among them`);
}

async function createManager(command: AdminCommand & { name: "manager create" }, deps: AdminDeps): Promise<void> {
  const { tenant, email, person: name, passwordFromInput } = command;
  const made = passwordFromInput ? undefined : randomBytes(18).toString("base64url");
  const password = made ?? (await deps.input()).replace(/\r?\n$/, "");
  // Whoever runs this knows it too.
  const known = { password, passwordForOneSignIn: true };
  const request = { idempotencyKey: randomUUID(), email, ...known, role: Role.ROLE_MANAGER, name };
  const { user } = await deps.identity.createStaffUser(request, call(tenant));
  deps.print(`manager ${user!.email} of ${tenant} is user ${user!.userId}`);
  if (made !== undefined)
    deps.print(`password: ${made} (shown here only; good for seven days, to be changed at the first login)`);
}

async function tenantNamed(tenantId: string, deps: AdminDeps): Promise<Tenant> {
  const found = await findTenant(tenantId, deps);
  if (found === undefined) throw new Error(`there is no tenant ${tenantId}`);
  return found;
}

async function findTenant(tenantId: string, { identity }: AdminDeps): Promise<Tenant | undefined> {
  try {
    return (await identity.getOrganisationPreference({}, call(tenantId))).tenant;
  } catch (error) {
    if (error instanceof Refusal && error.code === "TENANT_NOT_FOUND") return undefined;
    throw error;
  }
}

/** As people read it: times as text, amounts as decimals. */
function shown({ preference, ...tenant }: Tenant) {
  const singlePersonLimits = (preference?.singlePersonLimits ?? []).map(({ kind, below }, index) => {
    const amount = moneyFromWire(below, `singlePersonLimits[${index}].below`);
    return { kind, below: `${formatMoney(amount)} ${amount.currency}` };
  });
  return { ...tenant, preference: { ...preference, singlePersonLimits } };
}

function printErasure(erasure: Erasure | undefined, print: (line: string) => void): void {
  const { customerId = "?", erasedAt, retainedUntil, services = [] } = erasure ?? {};
  print(`customer ${customerId} was erased at ${erasedAt?.toISOString() ?? "?"}`);
  print(`records that the law wants kept are kept until ${retainedUntil?.toISOString() ?? "?"}`);
  const counted = (records: readonly { kind: string; records: bigint }[]) =>
    records.length === 0 ? "nothing" : records.map((one) => `${one.records} ${one.kind}`).join(", ");
  for (const { service, state, erased, kept } of services) {
    const what = state === "PENDING" ? "" : `  erased: ${counted(erased)}; kept: ${counted(kept)}`;
    print(`${service.padEnd(10)}  ${state.padEnd(9)}${what}`);
  }
}

function printKeys(
  keys: readonly { keyId: string; purpose: string; activeFrom?: Date | undefined; active: boolean }[],
  print: (line: string) => void,
): void {
  for (const { keyId, purpose, activeFrom, active } of keys) {
    print(`${keyId}  ${purpose.padEnd(13)}  from ${activeFrom?.toISOString() ?? "?"}${active ? "  in use" : ""}`);
  }
}

function call(tenantId = "", timeoutMs = 30_000) {
  return outgoing({ tenantId, interactionId: randomUUID() }, { timeoutMs });
}
