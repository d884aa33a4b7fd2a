import type {
  Account,
  JournalTransfer,
  LedgerServiceDefinition,
  StoredTransfer,
  Verification,
} from "../../proto/gen/ledger/v1/ledger.js";
import type { WirePartial } from "../../services/kernel/grpc/definition.js";
import type { Handlers } from "../../services/kernel/grpc/server.js";
import { sampleEntry } from "./samples.js";
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

const transfer: WirePartial<StoredTransfer> = {
  transferId: "t-1",
  transfer: {
    key: "t-1",
    debitAccountId: "bank",
    creditAccountId: "t-1",
    amount: usd(1_000n),
    kind: "deposit",
    mode: "TRANSFER_MODE_POSTED",
    effectiveAt: at,
  },
  sequence: 7n,
  postedAt: at,
  createdBy: "u-1",
  interactionId: "i-1",
  entries: [sampleEntry],
  state: "POSTED",
  reversedByKey: "t-2",
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
  description: "=1+1",
  interactionId: "i-1",
  createdBy: "u-1",
  service: "wallet",
  hash: Buffer.alloc(32, 7),
};

const verification: WirePartial<Verification> = {
  verificationId: "t-1",
  status: "VERIFICATION_STATUS_FAILED",
  checkedSequence: 7n,
  lastSequence: 9n,
  pass: 1,
  faults: [
    { sequence: 8n, transferKey: "t-8", difference: "its content does not fit its hash" },
    { accountId: "w-1", difference: "its sums per day are not what its transfers say" },
  ],
  startedAt: at,
  endedAt: at,
  startedBy: "u-1",
  headHash: Buffer.alloc(32, 9),
};

const chart = {
  code: "customer_wallet",
  type: "ACCOUNT_TYPE_LIABILITY",
  owningService: "wallet",
  description: "What customers hold in wallets",
} as const;

/** What the played ledger answers. */
export const ledgerSamples = {
  listAccounts: async () => ({ accounts: [sampleAccount], nextCursor: "next" }),
  getAccount: async () => ({ account: sampleAccount }),
  getChart: async () => ({ codes: [chart] }),
  getBalance: async () => ({
    balanceMinor: 1_000n,
    debitsPostedMinor: 0n,
    creditsPostedMinor: 1_000n,
    availableMinor: 900n,
    currency: "USD",
    sequence: 7n,
  }),
  listAccountEntries: async () => ({ entries: [sampleEntry] }),
  getTransfer: async () => ({ transfer }),
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
  beginVerification: async () => ({
    verification: { ...verification, status: "VERIFICATION_STATUS_RUNNING" as const },
  }),
  getVerification: async () => ({ verification }),
  listVerifications: async () => ({ verifications: [verification] }),
  listJournalTransfers: async () => ({ transfers: [sampleJournalTransfer], lastSequence: 7n }),
} satisfies Partial<Handlers<LedgerServiceDefinition>>;
