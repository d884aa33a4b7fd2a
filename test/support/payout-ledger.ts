import { randomUUID } from "node:crypto";
import { AccountFlag, LedgerServiceDefinition, TransferMode } from "../../proto/gen/ledger/v1/ledger.js";
import { ledgerEnv } from "../../services/ledger/config.js";
import { startLedger, type LedgerServerDeps } from "../../services/ledger/server.js";
import { insist } from "./insist.js";
import { serverEnv } from "./payout-server-env.js";
import { on } from "./remittance-calls.js";
import { statedUsers, type ServiceNetwork } from "./service-network.js";

const openingBalance = 1_000_000_00n;

/** The ledger for real, and what the payout tests post and read there as the wallet does. */
export async function startPayoutLedger(
  network: ServiceNetwork,
  database: { uri: string; database: string },
  identityAddress: string,
  deps: LedgerServerDeps = {},
) {
  const ledger = await startLedger(
    ledgerEnv.parse({
      ...serverEnv(database),
      IDENTITY_ADDRESS: identityAddress,
      LEASE_TTL_MS: "1000",
      EXPIRY_SWEEP_MS: "100",
    }),
    { keys: network.keysOf("ledger"), log: network.log, verifyUserToken: statedUsers, ...deps },
  );
  const books = network.client(LedgerServiceDefinition, "ledger", ledger.port, "wallet");

  /** Credits minus debits, minor units; 0 where there is no such account. */
  async function balance(tenantId: string, accountId: string): Promise<bigint> {
    const { accounts } = await books.getAccounts({ accountIds: [accountId] }, on(tenantId));
    return (accounts[0]?.creditsPostedMinor ?? 0n) - (accounts[0]?.debitsPostedMinor ?? 0n);
  }

  /** What all partners together are owed, minor units. */
  async function owedToPartners(tenantId: string, currency: string): Promise<bigint> {
    const { accounts } = await books.listAccounts({ code: "partner_settlement" }, on(tenantId));
    const own = accounts.filter((account) => account.currency === currency);
    return own.reduce(
      (sum, { creditsPostedMinor, debitsPostedMinor }) => sum + creditsPostedMinor - debitsPostedMinor,
      0n,
    );
  }

  async function post(tenantId: string, transfers: ReturnType<typeof move>[]): Promise<void> {
    const request = { groups: [{ transfers }], createdBy: "u1" };
    const { results } = await insist(() => books.postTransfers(request, on(tenantId)));
    if (results[0]?.posted === undefined) throw new Error(`not posted: ${JSON.stringify(results[0]?.refused?.code)}`);
  }

  async function openEmptyWallet(
    tenantId: string,
    currency: string,
    content: { ownerId: string; metadata?: Record<string, string> },
  ): Promise<string> {
    const accountId = `w-${randomUUID()}`;
    const bank = { accountId: `bank_settlement:${currency}`, code: "bank_settlement", currency, name: "Bank" };
    const flags = [AccountFlag.ACCOUNT_FLAG_DEBITS_MUST_NOT_EXCEED_CREDITS];
    const account = { accountId, code: "customer_wallet", currency, name: "Wallet", flags, ...content };
    await insist(() => books.createAccounts({ accounts: [bank, account] }, on(tenantId)));
    return accountId;
  }

  return {
    port: ledger.port,
    stop: () => ledger.stop(),
    books,
    balance,
    post,
    openEmptyWallet,
    /** A wallet of c1 with money in it. */
    async openWallet(tenantId: string, currency: string): Promise<string> {
      const walletId = await openEmptyWallet(tenantId, currency, { ownerId: "c1" });
      const bankId = `bank_settlement:${currency}`;
      await post(tenantId, [move(`deposit:${walletId}`, bankId, walletId, openingBalance, currency, "deposit")]);
      return walletId;
    },
    /** The accounts of a counter sale, as wallet opens them before it posts; gives the till's. */
    async openCounter(tenantId: string, currency: string): Promise<string> {
      const of = (code: string, accountId: string) => ({ accountId, code, currency, name: code });
      const tillId = `cash_till:CA1:${currency}`;
      const owed = of("counter_payable", `counter_payable:${currency}`);
      await insist(() => books.createAccounts({ accounts: [of("cash_till", tillId), owed] }, on(tenantId)));
      return tillId;
    },
    /** The recipient spends some of it. */
    spend: (tenantId: string, walletId: string, amountMinor: bigint) =>
      post(tenantId, [
        move(`spent:${randomUUID()}`, walletId, "bank_settlement:NGN", amountMinor, "NGN", "withdrawal"),
      ]),
    closeWallet: (tenantId: string, accountId: string) => books.closeAccount({ accountId }, on(tenantId)),
    /** Debits and credits of each currency. */
    async trialBalance(tenantId: string) {
      const { lines } = await books.getTrialBalance({}, on(tenantId));
      const byCurrency = Map.groupBy(lines, ({ currency }) => currency);
      return {
        lines: [...byCurrency].map(([currency, all]) => ({
          currency,
          debits: all.reduce((sum, { debitsMinor }) => sum + BigInt(debitsMinor), 0n),
          credits: all.reduce((sum, { creditsMinor }) => sum + BigInt(creditsMinor), 0n),
        })),
      };
    },
    /**
     * Money of the transaction that is nowhere final; what the wallet is short of; what the partner
     * is owed.
     */
    async money({ tenantId, walletId }: { tenantId: string; walletId: string }) {
      return {
        clearing: await balance(tenantId, "remittance_clearing:USD"),
        short: openingBalance - (await balance(tenantId, walletId)),
        partner: await owedToPartners(tenantId, "NGN"),
        fees: await balance(tenantId, "fee_income:USD"),
        taxes: await balance(tenantId, "tax_payable:USD"),
        charges: await balance(tenantId, "bank_charges:USD"),
      };
    },
  };
}

/** A transfer that is posted at once. */
export function move(key: string, from: string, to: string, amountMinor: bigint, currency: string, kind: string) {
  const mode = TransferMode.TRANSFER_MODE_POSTED;
  return { key, debitAccountId: from, creditAccountId: to, amount: { amountMinor, currency }, kind, mode };
}
