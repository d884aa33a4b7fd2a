import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { formatMoney, money } from "../../services/kernel/money.js";
import { toAlpha3 } from "../../services/kernel/codes/countries.js";
import type { SeededTenant, SeededUser } from "./apply.js";
import type { SeededWallet } from "./customers.js";
import type { FixtureBeneficiary } from "./fixture-schema.js";

/**
 * Writes demo.json: who can log in to the local cluster and what they hold. Money is decimal text.
 */
export async function writeDemoFile(dataDir: string, baseUrl: string, tenants: readonly SeededTenant[]): Promise<void> {
  const content = { baseUrl, tenants: tenants.map(tenantOf) };
  const file = join(dataDir, "demo.json");
  // Readers wait for this file; a rename never shows them half of it.
  await writeFile(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

function tenantOf({ fixture, users, investmentProducts }: SeededTenant) {
  return {
    id: fixture.id,
    name: fixture.name,
    host: fixture.hosts[0],
    users: users.map(userOf),
    corridors: (fixture.corridors ?? []).map((corridor) => ({
      originCountry: toAlpha3(corridor.originCountry, "originCountry"),
      sendCurrency: corridor.sendCurrency,
      receivingCountry: toAlpha3(corridor.receivingCountry, "receivingCountry"),
      receivingCurrency: corridor.receivingCurrency,
      types: corridor.types,
    })),
    loanProducts: (fixture.loanProducts ?? []).map(({ id, name, currency }) => ({ id, name, currency })),
    investmentProducts: investmentProducts.map(({ fixture: { id, name, unitPrice, currency }, unitsLeft }) => ({
      id,
      name,
      unitPrice,
      currency,
      unitsLeft: String(unitsLeft),
    })),
  };
}

function userOf({ email, password, role, userId, name, customer }: SeededUser) {
  if (customer === undefined) return { email, password, role, userId, name };
  const { fixture } = customer;
  return {
    email,
    password,
    role,
    userId,
    customerId: customer.customerId,
    customerCode: fixture.code,
    name,
    country: toAlpha3(fixture.country, "country"),
    wallets: customer.wallets.map(walletOf),
    bankAccounts: customer.bankAccounts,
    beneficiaries: (fixture.beneficiaries ?? []).map(beneficiaryOf),
    loans: customer.loans,
  };
}

function walletOf({ accountId, accountNumber, currency, balanceMinor }: SeededWallet) {
  return { accountId, accountNumber, currency, balance: formatMoney(money(balanceMinor, currency)) };
}

function beneficiaryOf(beneficiary: FixtureBeneficiary) {
  return {
    code: beneficiary.code,
    name: `${beneficiary.firstName ?? ""} ${beneficiary.lastName}`.trim(),
    country: toAlpha3(beneficiary.country, "country"),
    currency: beneficiary.currency,
    deliveryMethods: beneficiary.deliveryMethods,
    creditParty: Object.entries(beneficiary.creditParty).map(([key, value]) => ({ key, value })),
  };
}
