import type { PackageServiceDefinition } from "../../proto/gen/ledger/v1/packages.js";
import type { PartnerServiceDefinition } from "../../proto/gen/ledger/v1/partners.js";
import type { Closing, PeriodServiceDefinition } from "../../proto/gen/ledger/v1/periods.js";
import type { CloseBlockerServiceDefinition } from "../../proto/gen/operations/v1/closing.js";
import type { WirePartial } from "../../services/kernel/grpc/definition.js";
import type { Handlers } from "../../services/kernel/grpc/server.js";

const at = new Date("2026-11-21T10:15:00.000Z");

const closing: WirePartial<Closing> = {
  number: 1,
  period: "2026-11-20",
  fromDate: "2026-11-20",
  throughDate: "2026-11-20",
  throughSequence: 7n,
  headHash: Buffer.alloc(32, 7),
  closedBy: "u-1",
  closedAt: at,
  packageStatus: "PACKAGE_STATUS_DONE",
  packageTransfers: 7n,
  files: [{ name: "manifest.json", bytes: 120n, sha256: "9f" }],
};

const mapping = { version: 1, codes: [{ code: "fee_income", account: "4000", name: "Fees" }], changedAt: at };

/** What the played services answer about closing the books. */
export const closeBlockerSamples = {
  listCloseBlockers: async () => ({ blockers: [{ kind: "ROWS_PARKED", count: 2, oldestAt: at }] }),
} satisfies Partial<Handlers<CloseBlockerServiceDefinition>>;

export const periodSamples = {
  readPeriods: async () => ({ closedThrough: "2026-11-20", today: "2026-11-22", closable: ["2026-11-21"] }),
  closeBooks: async () => ({ closing }),
  askReopening: async () => ({ approvalId: "a-1", approvalStatus: "PENDING", fromDate: "2026-11-20" }),
  listClosings: async () => ({ closings: [closing], nextCursor: "next" }),
  getClosing: async () => ({ closing }),
} satisfies Partial<Handlers<PeriodServiceDefinition>>;

export const packageSamples = {
  readPackageFile: async ({ cursor }) => ({ content: Buffer.from("{}"), nextCursor: cursor === "" ? "next" : "" }),
  getChartMapping: async () => ({ mapping, missing: ["tax_payable"] }),
  putChartMapping: async () => ({ mapping }),
} satisfies Partial<Handlers<PackageServiceDefinition>>;

const partnerBalance = {
  accountId: "bank_settlement:operator:USD",
  code: "bank_settlement",
  partner: "operator",
  name: "Bank settlement USD",
  currency: "USD",
  prefundedMinor: 1_000_00n,
  reservedMinor: 50_00n,
  paidOutMinor: 700_00n,
  alarm: {
    accountId: "bank_settlement:operator:USD",
    currency: "USD",
    belowMinor: 2_000_00n,
    isLow: true,
    since: at,
    changedBy: "u-1",
    changedAt: at,
  },
};

/** What the played ledger answers about what partners hold. */
export const partnerSamples = {
  listPartnerBalances: async () => ({ balances: [partnerBalance], nextCursor: "next", today: "2026-11-22" }),
} satisfies Partial<Handlers<PartnerServiceDefinition>>;
