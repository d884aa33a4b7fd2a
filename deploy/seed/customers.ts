import { CustomerStatus } from "../../proto/gen/compliance/v1/compliance.js";
import { moneyToWire, parseMoney } from "../../services/kernel/money.js";
import type { FixtureBeneficiary, FixtureCustomer } from "./fixture-schema.js";
import { methodsOf } from "./offers.js";
import type { SeedTarget } from "./target.js";

export interface SeededWallet {
  accountId: string;
  accountNumber: string;
  currency: string;
  /** Minor units, as the ledger had it when the seed ended. */
  balanceMinor: bigint;
}

/** A customer whose wallets are open, in the tenant or in its sandbox. */
export interface WalletOwner {
  /** In the fixture. */
  path: string;
  customerId: string;
  fixture: FixtureCustomer;
  wallets: SeededWallet[];
}

/**
 * The request that registers a customer, with the agent who manages them; repeated, it answers the
 * same customer.
 */
export function registrationOf(customer: FixtureCustomer, agents: ReadonlyMap<string, string>) {
  const { email, password, firstName, lastName, country, code: customerCode, phoneNumber = "" } = customer;
  const { dateOfBirth, placeOfBirth, nationality, address, identityDocuments } = customer;
  const details = { dateOfBirth, placeOfBirth, nationality, address, identityDocuments };
  const person = { email, password, firstName, lastName, country, phoneNumber, customerCode, details };
  const agentId = customer.agent === undefined ? "" : (agents.get(customer.agent) ?? "");
  return { idempotencyKey: `seed:${email}`, ...person, agentId };
}

/** Sets the compliance status that the fixture gives, unless the customer has one. */
export function putStatus(
  customer: FixtureCustomer,
  path: string,
  customerId: string,
  { clients, call, step }: SeedTarget,
) {
  const status = CustomerStatus[`CUSTOMER_STATUS_${customer.status ?? "PENDING"}`];
  const request = { customerId, status, reason: "loaded from a fixture", onlyIfUnset: true };
  return step(`${path}/status`, () => clients.compliance.setCustomerStatus(request, call()));
}

/**
 * Enters the customer's number at the sandbox bank's register; any other bank has a register of its
 * own.
 */
export async function putBvn(
  customer: FixtureCustomer,
  path: string,
  { clients, call, step }: SeedTarget,
): Promise<void> {
  const { bvn, firstName, lastName, phoneNumber = "" } = customer;
  if (bvn === undefined) return;
  const entry = { bvn, firstName, lastName, phoneNumber };
  await step(`${path}/bvn`, () => clients.register.putBvn(entry, call()));
}

/** Opens a customer's wallets with their opening balances. Returns all wallets of the customer. */
export async function seedWallets(
  customer: FixtureCustomer,
  path: string,
  customerId: string,
  { clients, call, step }: SeedTarget,
): Promise<SeededWallet[]> {
  for (const [index, wallet] of (customer.wallets ?? []).entries()) {
    const where = `${path}/wallets/${index}`;
    const { currency } = wallet;
    const key = `seed:${customer.code}:${currency}`;
    const opened = await step(where, () =>
      clients.wallet.openWalletAccount({ idempotencyKey: key, customerId, currency }, call()),
    );
    const accountId = opened?.account?.accountId;
    if (accountId === undefined || wallet.openingBalance === undefined) continue;
    await step(`${where}/openingBalance`, () => {
      const amount = moneyToWire(parseMoney(wallet.openingBalance!, currency));
      return clients.wallet.recordDeposit(
        { idempotencyKey: key, accountId, amount, reference: "opening balance" },
        call(),
      );
    });
  }
  const listed = await step(`${path}/wallets`, () => clients.wallet.listWalletAccounts({ customerId }, call()));
  return (listed?.accounts ?? []).map(({ accountId, accountNumber, currency, availableBalanceMinor }) => ({
    accountId,
    accountNumber,
    currency,
    balanceMinor: availableBalanceMinor,
  }));
}

/**
 * Creates all beneficiaries, once every wallet is open: a recipient may be another customer's
 * wallet.
 */
export async function seedBeneficiaries(owners: WalletOwner[], { clients, call, step }: SeedTarget): Promise<void> {
  for (const owner of owners) {
    const beneficiaries = (owner.fixture.beneficiaries ?? []).map((one) => withWallet(one, owners));
    owner.fixture = { ...owner.fixture, beneficiaries };
    for (const [index, beneficiary] of beneficiaries.entries()) {
      const { kind, dateOfBirth, nationality, address, ...named } = beneficiary;
      const isKnown = [kind, dateOfBirth, nationality, address].some((part) => part !== undefined);
      const request = {
        ...named,
        ...(isKnown && { details: { kind, dateOfBirth, nationality, address } }),
        idempotencyKey: `seed:${beneficiary.code}`,
        customerId: owner.customerId,
        deliveryMethods: methodsOf(beneficiary.deliveryMethods),
        creditParty: Object.entries(beneficiary.creditParty).map(([key, value]) => ({ key, value })),
      };
      await step(`${owner.path}/beneficiaries/${index}`, () => clients.remittance.createBeneficiary(request, call()));
    }
  }
}

/**
 * A wallet account number that is a customer's e-mail stands for their wallet in the recipient's
 * currency.
 */
function withWallet(beneficiary: FixtureBeneficiary, owners: readonly WalletOwner[]): FixtureBeneficiary {
  const owner = owners.find(({ fixture }) => fixture.email === beneficiary.creditParty["walletaccountno"]);
  const wallet = owner?.wallets.find(({ currency }) => currency === beneficiary.currency);
  if (wallet === undefined) return beneficiary;
  return { ...beneficiary, creditParty: { ...beneficiary.creditParty, walletaccountno: wallet.accountNumber } };
}
