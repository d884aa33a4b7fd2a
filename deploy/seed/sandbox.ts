import { outgoing } from "../../services/kernel/grpc/client.js";
import { policyOf } from "./compliance.js";
import { putBvn, putStatus, registrationOf, seedBeneficiaries, seedWallets, type WalletOwner } from "./customers.js";
import type { FixtureTenant } from "./fixture-schema.js";
import { createLoanSeed } from "./loans.js";
import { putInvestmentProduct, seedOffers } from "./offers.js";
import { seedStaff } from "./staff.js";
import { targetOf, type SeedTarget } from "./target.js";

/**
 * The sandbox is a tenant of its own: with the same offers, policy and people, who have the same
 * passwords and are managed by the same agents.
 */
export async function seedSandbox(tenant: FixtureTenant, live: SeedTarget, interactionId: string): Promise<void> {
  const { clients, step } = live;
  const host = tenant.hosts[0];
  if (host === undefined) return;
  const twin = await step("/sandbox", () =>
    clients.identity.resolveHost({ host }, outgoing({ tenantId: "", interactionId })),
  );
  if (!twin?.sandboxTenantId) return;
  const sandbox = targetOf(twin.sandboxTenantId, interactionId, clients, step);
  const { call } = sandbox;
  const { compliance } = tenant;
  if (compliance) {
    await step("/compliance/sandbox", () => clients.compliance.putPolicy(policyOf(compliance), call()));
  }
  await seedOffers(tenant, "/sandbox", sandbox);
  for (const [index, product] of (tenant.investmentProducts ?? []).entries()) {
    await step(`/investmentProducts/${index}/sandbox`, () => putInvestmentProduct(product, sandbox));
  }
  await createLoanSeed(sandbox).products(tenant.loanProducts ?? []);
  const { agents } = await seedStaff(tenant, "/sandbox", sandbox);
  await seedBeneficiaries(await seedSandboxCustomers(tenant, agents, sandbox), sandbox);
}

async function seedSandboxCustomers(
  tenant: FixtureTenant,
  agents: ReadonlyMap<string, string>,
  sandbox: SeedTarget,
): Promise<WalletOwner[]> {
  const { clients, call, step } = sandbox;
  const loanSeed = createLoanSeed(sandbox);
  const owners: WalletOwner[] = [];
  for (const [index, customer] of (tenant.customers ?? []).entries()) {
    const request = registrationOf(customer, agents);
    const path = `/customers/${index}/sandbox`;
    const registered = await step(path, () => clients.identity.registerCustomer(request, call()));
    const customerId = registered?.customer?.customerId;
    if (customerId === undefined) continue;
    await putStatus(customer, path, customerId, sandbox);
    await putBvn(customer, path, sandbox);
    const wallets = await seedWallets(customer, path, customerId, sandbox);
    owners.push({ path, customerId, fixture: customer, wallets });
    await loanSeed.bankAccounts(customer, path, customerId);
    await loanSeed.loans(customer, path, customerId);
  }
  return owners;
}
