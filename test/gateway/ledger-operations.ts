import type { Account, JournalTransfer, LedgerServiceDefinition } from "../../proto/gen/ledger/v1/ledger.js";
import type { WirePartial } from "../../services/kernel/grpc/definition.js";
import type { Handlers } from "../../services/kernel/grpc/server.js";
const at = new Date("2026-11-21T10:15:00.000Z");
const usd = (amountMinor: bigint) => ({ amountMinor, currency: "USD" });

export const sampleAccount: WirePartial<Account> = {
  accountId: "t-1",
  code: "customer_wallet",
  currency: "USD",
  name: "USD wallet 1002003004",
  ownerId: "c-1",
  flags: ["ACCOUNT_FLAG_DEBITS_MUST_NOT_EXCEED_CREDITS"],
  type: "ACCOUNT_TYPE_LIABILITY",
  owningService: "wallet",
  debitsPostedMinor: 250n,
  creditsPostedMinor: 9_007_199_254_740_993n,
  debitsPendingMinor: 100n,
  createdAt: at,
  rolledOverMinor: "10",
};

export const sampleJournalTransfer: WirePartial<JournalTransfer> = {
  sequence: 7n,
  time: at,
  key: "t-1",
  mode: "POSTED",
  debitAccountId: "bank",
  creditAccountId: "t-1",
  amount: usd(1_000n),
  debitBalanceMinor: -5n,
  creditBalanceMinor: 1_000n,
  kind: "deposit",
  effectiveAt: at,
  day: "2026-11-21",
  belongsTo: "2026-11-20",
  description: "=1+1",
  interactionId: "i-1",
  createdBy: "u-1",
  service: "wallet",
  hash: Buffer.alloc(32, 7),
};

const chart = {
  code: "customer_wallet",
  type: "ACCOUNT_TYPE_LIABILITY",
  owningService: "wallet",
  side: "ENTRY_SIDE_CREDIT",
  postedBy: ["wallet"],
  description: "What customers hold in wallets",
} as const;

/** What the played ledger answers. */
export const ledgerSamples = {
  listAccounts: async () => ({ accounts: [sampleAccount], nextCursor: "next" }),
  getAccount: async () => ({ account: sampleAccount }),
  openBookAccount: async () => ({ account: sampleAccount }),
  getChart: async () => ({ codes: [chart] }),
  getBalance: async () => ({
    balanceMinor: 1_000n,
    debitsPostedMinor: 0n,
    creditsPostedMinor: 1_000n,
    availableMinor: 900n,
    currency: "USD",
    sequence: 7n,
  }),
  getTrialBalance: async () => ({
    lines: [
      {
        code: "customer_wallet",
        currency: "USD",
        debitsMinor: "0",
        creditsMinor: "100000000000000000000",
        accounts: 2n,
      },
      {
        code: "bank_settlement",
        currency: "USD",
        debitsMinor: "100000000000000000000",
        creditsMinor: "0",
        accounts: 1n,
      },
    ],
  }),
  listJournalTransfers: async () => ({ transfers: [sampleJournalTransfer], lastSequence: 7n }),
} satisfies Partial<Handlers<LedgerServiceDefinition>>;
