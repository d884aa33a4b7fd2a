import { randomUUID } from "node:crypto";
import { Refusal } from "../../services/kernel/refusal.js";
import type { OperatorClients } from "../local/operator-clients.js";
import { policyOf } from "./compliance.js";
import {
  putBvn,
  putStatus,
  registrationOf,
  seedBeneficiaries,
  seedWallets,
  type SeededWallet,
  type WalletOwner,
} from "./customers.js";
import type { Fault } from "./fixture.js";
import type { Fixture, FixtureCustomer, FixtureInvestmentProduct, FixtureTenant } from "./fixture-schema.js";
import { createLoanSeed, type SeededBankAccount, type SeededLoan } from "./loans.js";
import { putInvestmentProduct, seedOffers } from "./offers.js";
import { seedSandbox } from "./sandbox.js";
import { seedStaff } from "./staff.js";
import { createStep, targetOf, type SeedTarget } from "./target.js";

/** What a fixture became: the ids that the services gave. */
export interface SeededTenant {
  fixture: FixtureTenant;
  users: SeededUser[];
  investmentProducts: { fixture: FixtureInvestmentProduct; unitsLeft: bigint }[];
}

export interface SeededUser {
  email: string;
  password: string;
  role: string;
  name: string;
  userId: string;
  customer?: {
    customerId: string;
    fixture: FixtureCustomer;
    wallets: SeededWallet[];
    bankAccounts: SeededBankAccount[];
    loans: SeededLoan[];
  };
}

export interface SeedResult {
  tenants: SeededTenant[];
  faults: Fault[];
}

export interface SeedOptions {
  /**
   * A tenant that is there has what people have chosen since: nobody asked to have that put back.
   */
  keepsPreferences?: boolean;
}

/**
 * Loads a fixture through the services' own rpcs with the operator's credential. Safe to run twice:
 * what is created has a key made from its natural name, what is configured is put. A refusal is
 * kept with its path and the rest goes on.
 */
export async function applyFixture(
  fixture: Fixture,
  clients: OperatorClients,
  progress: (line: string) => void = () => {},
  options: SeedOptions = {},
): Promise<SeedResult> {
  const faults: Fault[] = [];
  const tenants: SeededTenant[] = [];
  for (const [index, tenant] of fixture.tenants.entries()) {
    const started = performance.now();
    const before = faults.length;
    const interactionId = `seed:${randomUUID()}`;
    const target = targetOf(tenant.id, interactionId, clients, createStep(`/tenants/${index}`, faults));
    const seeded = await seedTenant(tenant, target, interactionId, options);
    if (seeded !== undefined) tenants.push(seeded);
    const count = faults.length - before;
    const how = count === 0 ? "" : seeded === undefined ? "not loaded, " : `loaded with ${count} faults, `;
    progress(`tenant ${tenant.id} (${how}${((performance.now() - started) / 1000).toFixed(1)} s)`);
  }
  return { tenants, faults };
}

/** Undefined where there is no tenant to load anything into. */
async function seedTenant(
  tenant: FixtureTenant,
  target: SeedTarget,
  interactionId: string,
  { keepsPreferences = false }: SeedOptions,
): Promise<SeededTenant | undefined> {
  const { clients, call, step } = target;
  const put = await step("", async () => {
    const known = keepsPreferences ? await preferenceOf(target) : undefined;
    return known ?? (await putTenant(tenant, target));
  });
  if (put === undefined) return undefined;
  const { compliance } = tenant;
  if (compliance) await step("/compliance", () => clients.compliance.putPolicy(policyOf(compliance), call()));
  await seedOffers(tenant, "", target);
  const { users, agents } = await seedStaff(tenant, "", target);
  await createLoanSeed(target).products(tenant.loanProducts ?? []);
  await seedSandbox(tenant, target, interactionId);
  const investmentProducts: SeededTenant["investmentProducts"] = [];
  for (const [index, product] of (tenant.investmentProducts ?? []).entries()) {
    const unitsLeft = await step(`/investmentProducts/${index}`, () => putInvestmentProduct(product, target));
    if (unitsLeft !== undefined) investmentProducts.push({ fixture: product, unitsLeft });
  }
  const owners: WalletOwner[] = [];
  for (const [index, customer] of (tenant.customers ?? []).entries()) {
    const path = `/customers/${index}`;
    const seeded = await seedCustomer(customer, path, agents, target);
    if (seeded === undefined) continue;
    users.push(seeded.user);
    owners.push(Object.assign(seeded.owned, { path }));
  }
  await seedBeneficiaries(owners, target);
  return { fixture: tenant, users, investmentProducts };
}

/** Undefined for a tenant that is not there yet. */
async function preferenceOf({ clients, call }: SeedTarget) {
  return clients.identity.getOrganisationPreference({}, call()).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === "TENANT_NOT_FOUND") return undefined;
    throw error;
  });
}

function putTenant(tenant: FixtureTenant, { clients, call }: SeedTarget) {
  const { preference: given } = tenant;
  const preference = {
    ...given,
    agentScope: given.agentScope ?? "",
    selfRegistration: given.selfRegistration ?? false,
    secondFactors: { otp: false, pin: false },
    requiredDetails: given.requiredDetails ?? [],
  };
  const request = { tenant: { tenantId: tenant.id, name: tenant.name, hosts: tenant.hosts, preference } };
  return clients.identity.putTenant(request, call());
}

async function seedCustomer(
  customer: FixtureCustomer,
  path: string,
  agents: Map<string, string>,
  target: SeedTarget,
): Promise<{ user: SeededUser; owned: NonNullable<SeededUser["customer"]> } | undefined> {
  const { clients, call, step } = target;
  const { email, password, firstName, lastName } = customer;
  const registration = registrationOf(customer, agents);
  const registered = await step(path, () => clients.identity.registerCustomer(registration, call()));
  const person = registered?.customer;
  if (person === undefined) return undefined;
  const { customerId, userId } = person;
  await putStatus(customer, path, customerId, target);
  await putBvn(customer, path, target);
  const wallets = await seedWallets(customer, path, customerId, target);
  const name = `${firstName} ${lastName}`;
  const loanSeed = createLoanSeed(target);
  const bankAccounts = await loanSeed.bankAccounts(customer, path, customerId);
  const loans = await loanSeed.loans(customer, path, customerId);
  const owned = { customerId, fixture: customer, wallets, bankAccounts, loans };
  return { user: { email, password, role: "CUSTOMER", name, userId, customer: owned }, owned };
}
