import { randomUUID } from "node:crypto";
import { CustomerStatus } from "../../proto/gen/compliance/v1/compliance.js";
import { Role } from "../../proto/gen/identity/v1/identity.js";
import { DeliveryMethod, PayoutPointType } from "../../proto/gen/remittance/v1/remittance.js";
import { outgoing, type CallOptions } from "../../services/shared/grpc/client.js";
import { moneyToWire, parseMoney } from "../../services/shared/money.js";
import { Refusal } from "../../services/shared/refusal.js";
import type { OperatorClients } from "../local/operator-clients.js";
import type {
  DeliveryMethodName,
  Fault,
  Fixture,
  FixtureBeneficiary,
  FixtureCorridor,
  FixtureCustomer,
  FixturePayoutPoint,
  FixtureInvestmentProduct,
  FixtureTenant,
} from "./fixture.js";
import { policyOf, type FixtureCompliance } from "./compliance.js";
import { createLoanSeed, type SeededBankAccount, type SeededLoan } from "./loans.js";

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

/** A customer whose wallets are there, in the tenant or in its sandbox. */
interface Owner {
  /** In the fixture. */
  path: string;
  customerId: string;
  fixture: FixtureCustomer;
  wallets: SeededWallet[];
}

export interface SeededWallet {
  accountId: string;
  accountNumber: string;
  currency: string;
  /** Minor units, as the ledger had it when the seed ended. */
  balanceMinor: bigint;
}

export interface SeedResult {
  tenants: SeededTenant[];
  faults: Fault[];
}

/**
 * Loads a fixture through the services' own rpcs with the operator's credential. Safe to run twice: what is created
 * has a key made from its natural name, what is configured is put. A refusal is kept with its path and the rest goes on.
 */
export async function applyFixture(
  fixture: Fixture,
  clients: OperatorClients,
  progress: (line: string) => void = () => {},
): Promise<SeedResult> {
  const faults: Fault[] = [];
  const tenants: SeededTenant[] = [];
  for (const [index, tenant] of fixture.tenants.entries()) {
    const started = performance.now();
    const before = faults.length;
    const seeded = await createTenantSeed(tenant, `/tenants/${index}`, clients, faults).run();
    if (seeded !== undefined) tenants.push(seeded);
    const count = faults.length - before;
    const how = count === 0 ? "" : seeded === undefined ? "not loaded, " : `loaded with ${count} faults, `;
    progress(`tenant ${tenant.id} (${how}${((performance.now() - started) / 1000).toFixed(1)} s)`);
  }
  return { tenants, faults };
}

function createTenantSeed(tenant: FixtureTenant, at: string, clients: OperatorClients, faults: Fault[]) {
  const interactionId = `seed:${randomUUID()}`;
  const call = (): CallOptions => outgoing({ tenantId: tenant.id, interactionId });

  /** Runs one step; a refusal is noted under its path, anything else (a service away) ends the seed. */
  async function step<T>(path: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.code === "UNAVAILABLE" || error.code === "DEADLINE_EXCEEDED") throw error;
      faults.push(...faultsOf(error, at + path));
      return undefined;
    }
  }

  const loanSeed = createLoanSeed(clients, tenant.id, call, step);

  /** Undefined where there is no tenant to load anything into. */
  async function run(): Promise<SeededTenant | undefined> {
    const users: SeededUser[] = [];
    const investmentProducts: SeededTenant["investmentProducts"] = [];
    const put = await step("", () => putTenant());
    if (put === undefined) return undefined;
    if (tenant.compliance) await step("/compliance", () => putPolicy(tenant.compliance!, call()));
    await seedOffers("", call);
    const agents = await seedStaff(users);
    await loanSeed.products(tenant.loanProducts ?? []);
    await seedSandbox();
    for (const [index, product] of (tenant.investmentProducts ?? []).entries()) {
      const unitsLeft = await step(`/investmentProducts/${index}`, () => putInvestmentProduct(product, call));
      if (unitsLeft !== undefined) investmentProducts.push({ fixture: product, unitsLeft });
    }
    const owners: Owner[] = [];
    for (const [index, customer] of (tenant.customers ?? []).entries()) {
      const path = `/customers/${index}`;
      const seeded = await seedCustomer(customer, path, agents);
      if (seeded === undefined) continue;
      users.push(seeded.user);
      owners.push(Object.assign(seeded.owned, { path }));
    }
    await seedBeneficiaries(owners, call);
    return { fixture: tenant, users, investmentProducts };
  }

  /** What a tenant offers before it has anybody: corridors, rates and payout points. */
  async function seedOffers(place: string, to: () => CallOptions): Promise<void> {
    for (const [index, corridor] of (tenant.corridors ?? []).entries()) {
      await step(`/corridors/${index}${place}`, () => putCorridor(corridor, to));
    }
    for (const [index, rate] of (tenant.rates ?? []).entries()) {
      const request = { ...rate, source: rate.source ?? "fixture" };
      await step(`/rates/${index}${place}`, () => clients.remittance.putRate(request, to()));
    }
    for (const [index, point] of (tenant.payoutPoints ?? []).entries()) {
      await step(`/payoutPoints/${index}${place}`, () => putPayoutPoint(point, to));
    }
  }

  function putTenant() {
    const { preference: given } = tenant;
    const preference = {
      ...given,
      agentScope: given.agentScope ?? "",
      selfRegistration: given.selfRegistration ?? false,
      secondFactors: { otp: false, pin: false },
    };
    const request = { tenant: { tenantId: tenant.id, name: tenant.name, hosts: tenant.hosts, preference } };
    return clients.identity.putTenant(request, call());
  }

  function putPolicy(compliance: FixtureCompliance, where: CallOptions) {
    return clients.compliance.putPolicy(policyOf(compliance), where);
  }

  function putStatus(customer: FixtureCustomer, path: string, customerId: string, where: CallOptions) {
    const status = CustomerStatus[`CUSTOMER_STATUS_${customer.status ?? "PENDING"}`];
    const request = { customerId, status, reason: "loaded from a fixture", onlyIfUnset: true };
    return step(`${path}/status`, () => clients.compliance.setCustomerStatus(request, where));
  }

  function putCorridor(corridor: FixtureCorridor, to: () => CallOptions) {
    const minor = (text: string | undefined) =>
      text === undefined ? undefined : parseMoney(text, corridor.sendCurrency).minor;
    return clients.remittance.putCorridor(
      {
        corridor: {
          ...corridor,
          deliveryMethods: methodsOf(corridor.types),
          minimumMinor: minor(corridor.minimumAmount) ?? 0n,
          maximumMinor: minor(corridor.maximumAmount) ?? 0n,
          enabled: corridor.enabled ?? true,
          fees: (corridor.fees ?? []).map((fee) => ({
            name: fee.name,
            fixedMinor: minor(fee.fixed) ?? 0n,
            rateBps: fee.rateBps ?? 0,
            minimumMinor: minor(fee.minimum),
            maximumMinor: minor(fee.maximum),
            taxBps: fee.taxBps ?? 0,
            deliveryMethods: methodsOf(fee.types ?? []),
          })),
        },
      },
      to(),
    );
  }

  /** Returns the units that are left. */
  async function putInvestmentProduct(given: FixtureInvestmentProduct, to: () => CallOptions): Promise<bigint> {
    const { id, unitPrice, unitsOffered, tiers, penalty, currency } = given;
    const minor = (text: string) => parseMoney(text, currency).minor;
    const product = {
      productId: id,
      name: given.name,
      description: given.description ?? "",
      currency,
      unitPriceMinor: minor(unitPrice),
      unitsOffered: BigInt(unitsOffered),
      minimumUnits: BigInt(given.minimumUnits ?? 1),
      maximumUnitsPerCustomer: BigInt(given.maximumUnitsPerCustomer ?? unitsOffered),
      tiers: tiers.map(({ from, ratePercent }) => ({ fromMinor: minor(from), ratePercent })),
      compounding: given.compounding ?? "NONE",
      dayCount: given.dayCount ?? "ACT_365",
      termMonths: given.termMonths ?? 0,
      termDays: given.termDays ?? 0,
      lockInDays: given.lockInDays ?? 0,
      penalty: penalty ?? { kind: "NONE" },
      payout: given.payout ?? "AT_MATURITY",
      reinvestment: given.reinvestment ?? "NONE",
      withholdingTaxBps: given.withholdingTaxBps ?? 0,
      status: "OPEN",
    };
    const put = await clients.investment.putProduct({ product }, to());
    return put.product?.unitsLeft ?? 0n;
  }

  function putPayoutPoint(
    { minimumAmount = "0", maximumAmount, type, ...rest }: FixturePayoutPoint,
    to: () => CallOptions,
  ) {
    const minor = (text: string) => parseMoney(text, rest.currency).minor;
    const limits = { minimumMinor: minor(minimumAmount), maximumMinor: minor(maximumAmount) };
    const point = { ...rest, ...limits, type: PayoutPointType[`PAYOUT_POINT_TYPE_${type}`], enabled: true };
    return clients.remittance.putPayoutPoint({ point }, to());
  }

  /** Returns the ids of agents by e-mail. */
  async function seedStaff(users: SeededUser[]): Promise<Map<string, string>> {
    const agents = new Map<string, string>();
    for (const [index, staff] of (tenant.staff ?? []).entries()) {
      const { email, password, name } = staff;
      const request = { idempotencyKey: `seed:${email}`, email, password, name, role: Role[`ROLE_${staff.role}`] };
      const created = await step(`/staff/${index}`, () => clients.identity.createStaffUser(request, call()));
      const userId = created?.user?.userId;
      if (userId === undefined) continue;
      users.push({ email, password, role: staff.role, name, userId });
      if (staff.role === "AGENT") agents.set(email, userId);
    }
    return agents;
  }

  /** The sandbox is a tenant of its own: with the same offers, policy and people, who have the same passwords. */
  async function seedSandbox(): Promise<void> {
    const host = tenant.hosts[0];
    if (host === undefined) return;
    const twin = await step("/sandbox", () =>
      clients.identity.resolveHost({ host }, outgoing({ tenantId: "", interactionId })),
    );
    if (!twin?.sandboxTenantId) return;
    const inSandbox = outgoing({ tenantId: twin.sandboxTenantId, interactionId });
    if (tenant.compliance) await step("/compliance/sandbox", () => putPolicy(tenant.compliance!, inSandbox));
    await seedOffers("/sandbox", () => inSandbox);
    for (const [index, product] of (tenant.investmentProducts ?? []).entries()) {
      await step(`/investmentProducts/${index}/sandbox`, () => putInvestmentProduct(product, () => inSandbox));
    }
    const inLoans = createLoanSeed(clients, twin.sandboxTenantId, () => inSandbox, step);
    await inLoans.products(tenant.loanProducts ?? []);
    for (const [index, { email, password, name, role }] of (tenant.staff ?? []).entries()) {
      const request = { idempotencyKey: `seed:${email}`, email, password, name, role: Role[`ROLE_${role}`] };
      await step(`/staff/${index}/sandbox`, () => clients.identity.createStaffUser(request, inSandbox));
    }
    const owners: Owner[] = [];
    for (const [index, customer] of (tenant.customers ?? []).entries()) {
      const request = registrationOf(customer);
      const path = `/customers/${index}/sandbox`;
      const registered = await step(path, () => clients.identity.registerCustomer(request, inSandbox));
      const customerId = registered?.customer?.customerId;
      if (customerId === undefined) continue;
      await putStatus(customer, path, customerId, inSandbox);
      await putBvn(customer, path, inSandbox);
      const wallets = await seedWallets(customer, path, customerId, () => inSandbox);
      owners.push({ path, customerId, fixture: customer, wallets });
      await inLoans.bankAccounts(customer, path, customerId);
      await inLoans.loans(customer, path, customerId);
    }
    await seedBeneficiaries(owners, () => inSandbox);
  }

  async function seedCustomer(
    customer: FixtureCustomer,
    path: string,
    agents: Map<string, string>,
  ): Promise<{ user: SeededUser; owned: NonNullable<SeededUser["customer"]> } | undefined> {
    const { email, password, firstName, lastName } = customer;
    const agentId = customer.agent === undefined ? "" : (agents.get(customer.agent) ?? "");
    const registration = { ...registrationOf(customer), agentId };
    const registered = await step(path, () => clients.identity.registerCustomer(registration, call()));
    const person = registered?.customer;
    if (person === undefined) return undefined;
    const { customerId, userId } = person;
    await putStatus(customer, path, customerId, call());
    await putBvn(customer, path, call());
    const wallets = await seedWallets(customer, path, customerId);
    const name = `${firstName} ${lastName}`;
    const bankAccounts = await loanSeed.bankAccounts(customer, path, customerId);
    const loans = await loanSeed.loans(customer, path, customerId);
    const owned = { customerId, fixture: customer, wallets, bankAccounts, loans };
    return { user: { email, password, role: "CUSTOMER", name, userId, customer: owned }, owned };
  }

  /** The register of a sandbox bank learns whose the number is; any other bank has one of its own. */
  async function putBvn(customer: FixtureCustomer, path: string, where: CallOptions): Promise<void> {
    const { bvn, firstName, lastName, phoneNumber = "" } = customer;
    if (bvn === undefined) return;
    const entry = { bvn, firstName, lastName, phoneNumber };
    await step(`${path}/bvn`, () => clients.register.putBvn(entry, where));
  }

  /** A recipient may be another customer's wallet: all wallets are there by then. */
  async function seedBeneficiaries(owners: Owner[], to: () => CallOptions): Promise<void> {
    for (const owner of owners) {
      const beneficiaries = (owner.fixture.beneficiaries ?? []).map((one) => withWallet(one, owners));
      owner.fixture = { ...owner.fixture, beneficiaries };
      for (const [index, beneficiary] of beneficiaries.entries()) {
        const request = {
          ...beneficiary,
          idempotencyKey: `seed:${beneficiary.code}`,
          customerId: owner.customerId,
          deliveryMethods: methodsOf(beneficiary.deliveryMethods),
          creditParty: Object.entries(beneficiary.creditParty).map(([key, value]) => ({ key, value })),
        };
        await step(`${owner.path}/beneficiaries/${index}`, () => clients.remittance.createBeneficiary(request, to()));
      }
    }
  }

  async function seedWallets(
    customer: FixtureCustomer,
    path: string,
    customerId: string,
    to = call,
  ): Promise<SeededWallet[]> {
    for (const [index, wallet] of (customer.wallets ?? []).entries()) {
      const where = `${path}/wallets/${index}`;
      const { currency } = wallet;
      const key = `seed:${customer.code}:${currency}`;
      const opened = await step(where, () =>
        clients.wallet.openWalletAccount({ idempotencyKey: key, customerId, currency }, to()),
      );
      const accountId = opened?.account?.accountId;
      if (accountId === undefined || wallet.openingBalance === undefined) continue;
      await step(`${where}/openingBalance`, () => {
        const amount = moneyToWire(parseMoney(wallet.openingBalance!, currency));
        return clients.wallet.recordDeposit(
          { idempotencyKey: key, accountId, amount, reference: "opening balance" },
          to(),
        );
      });
    }
    const listed = await step(`${path}/wallets`, () => clients.wallet.listWalletAccounts({ customerId }, to()));
    return (listed?.accounts ?? []).map(({ accountId, accountNumber, currency, availableBalanceMinor }) => ({
      accountId,
      accountNumber,
      currency,
      balanceMinor: availableBalanceMinor,
    }));
  }

  return { run };
}

/** A wallet account number that is a customer's e-mail stands for their wallet in the recipient's currency. */
function withWallet(beneficiary: FixtureBeneficiary, owners: readonly Owner[]): FixtureBeneficiary {
  const owner = owners.find(({ fixture }) => fixture.email === beneficiary.creditParty["walletaccountno"]);
  const wallet = owner?.wallets.find(({ currency }) => currency === beneficiary.currency);
  if (wallet === undefined) return beneficiary;
  return { ...beneficiary, creditParty: { ...beneficiary.creditParty, walletaccountno: wallet.accountNumber } };
}

/** What a service refused, in the words of somebody who writes fixtures. */
function faultsOf({ code, message, details }: Refusal, path: string): Fault[] {
  if (code === "IDEMPOTENCY_KEY_REUSED") {
    return [
      { path, message: "was loaded before with other content, and a fixture creates it once: change it by its rpc" },
    ];
  }
  if (!details?.errors?.length) return [{ path, message: `${code}: ${message}` }];
  return details.errors.map((fault) => ({ path: `${path} ${fault.path}`, message: `${code}: ${fault.message}` }));
}

function methodsOf(names: readonly DeliveryMethodName[]): DeliveryMethod[] {
  return names.map((name) => DeliveryMethod[`DELIVERY_METHOD_${name}`]);
}

function registrationOf(customer: FixtureCustomer) {
  const { email, password, firstName, lastName, country, code: customerCode, phoneNumber = "" } = customer;
  return { idempotencyKey: `seed:${email}`, email, password, firstName, lastName, country, phoneNumber, customerCode };
}
