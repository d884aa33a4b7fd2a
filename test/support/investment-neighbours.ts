import {
  ComplianceServiceDefinition,
  type CheckCustomerActionRequest,
  type CheckCustomerActionResponse,
} from "../../proto/gen/compliance/v1/compliance.js";
import { IdentityServiceDefinition } from "../../proto/gen/identity/v1/identity.js";
import { EntrySide, LedgerServiceDefinition, type Transfer } from "../../proto/gen/ledger/v1/ledger.js";
import { RemittanceServiceDefinition } from "../../proto/gen/remittance/v1/remittance.js";
import { WalletServiceDefinition } from "../../proto/gen/wallet/v1/wallet.js";
import type { Call } from "../../services/kernel/grpc/context.js";
import type { Handlers } from "../../services/kernel/grpc/server.js";
import { Refusal, type RefusalCode } from "../../services/kernel/refusal.js";
import { createFaults } from "./rpc-faults.js";
import { createStandInLedger } from "./stand-in-ledger.js";
import { createStandInEvents } from "./stand-in-events.js";
import type { ServiceNetwork } from "./service-network.js";

export interface StandInCustomer {
  tenantId: string;
  customerId: string;
  userId: string;
  firstName: string;
  lastName: string;
  agentId: string;
}

export interface StandInWallet {
  tenantId: string;
  accountId: string;
  customerId: string;
  currency: string;
  status: "OPEN" | "FROZEN" | "CLOSED";
}

type Ledger = ReturnType<typeof createStandInLedger>;
type Faults = ReturnType<typeof createFaults>;

/** The wallet in memory, on the stand-in ledger: a key of a debit decides once. */
function createStandInWallet(faults: Faults, ledger: Ledger) {
  const accounts = new Map<string, StandInWallet>();
  const decided = new Map<string, { newBalanceMinor: bigint } | Refusal>();

  function find(call: Call, accountId: string): StandInWallet {
    const account = accounts.get(accountId);
    if (account?.tenantId !== call.tenantId) throw new Refusal("NOT_FOUND", "no such account");
    return account;
  }

  async function decide(
    call: Call,
    account: StandInWallet,
    key: string,
    legs: { creditAccountId: string; amountMinor: bigint; kind: string }[],
    effectiveAt: Date | undefined,
  ) {
    if (account.status !== "OPEN") return new Refusal(`ACCOUNT_${account.status}`, "not open");
    const transfers = legs.map((leg, index): Transfer => ({
      key: `wallet-debit:${call.caller}:${key}:${index + 1}`,
      debitAccountId: account.accountId,
      creditAccountId: leg.creditAccountId,
      amount: { amountMinor: leg.amountMinor, currency: account.currency },
      kind: leg.kind,
      mode: "TRANSFER_MODE_POSTED",
      pendingKey: "",
      pendingTimeout: undefined,
      effectiveAt,
      description: "",
      metadata: {},
      reversesKey: "",
      staysWithin: EntrySide.ENTRY_SIDE_UNSPECIFIED,
      beyondMinor: 0n,
      late: "LATE_POSTING_UNSPECIFIED",
    }));
    const { results = [] } = await ledger.handlers.postTransfers!({ groups: [{ transfers }], createdBy: "u" }, call);
    const code = results[0]?.refused?.code as RefusalCode | undefined;
    if (code !== undefined) return new Refusal(code, "refused");
    return { newBalanceMinor: ledger.balance(call.tenantId, account.accountId) };
  }

  const handlers: Partial<Handlers<WalletServiceDefinition>> = {
    getWalletAccount: async ({ accountId }, call) => {
      const { tenantId: _tenantId, ...account } = find(call, accountId);
      return { account };
    },
    debitWallet: ({ accountId, customerId, idempotencyKey, legs, effectiveAt }, call) =>
      faults.around("debitWallet", call, async () => {
        const account = find(call, accountId);
        if (account.customerId !== customerId) throw new Refusal("NOT_FOUND", "no such account");
        const answer = decided.get(idempotencyKey) ?? (await decide(call, account, idempotencyKey, legs, effectiveAt));
        decided.set(idempotencyKey, answer);
        if (answer instanceof Refusal) throw answer;
        return { ...answer, postedAt: new Date(), transferIds: [] };
      }),
  };
  return { handlers, accounts };
}

/** What stands around investment in its tests: all in memory, over real gRPC. */
export async function createInvestmentNeighbours(network: ServiceNetwork) {
  const faults = createFaults();
  const ledger = createStandInLedger(faults);
  const wallet = createStandInWallet(faults, ledger);
  const customers = new Map<string, StandInCustomer>();
  const baseCurrencies = new Map<string, string>();
  const rates = new Map<string, string>();
  const checks: CheckCustomerActionRequest[] = [];
  const compliance = {
    checks,
    answer: { decision: "DECISION_APPROVED" } as Partial<CheckCustomerActionResponse>,
    /** What the next checks are answered instead, whenever that may be. */
    next: [] as (() => Promise<Partial<CheckCustomerActionResponse>>)[],
    /** What is answered of single applications. */
    of: new Map<string, Partial<CheckCustomerActionResponse>>(),
    /** What was taken off its desk. */
    released: [] as string[],
  };

  const identityHandlers: Partial<Handlers<IdentityServiceDefinition>> = {
    async getCustomer(by, { tenantId }) {
      const isIt = ({ customerId, userId }: StandInCustomer) =>
        by.customerId === undefined ? userId === by.userId : customerId === by.customerId;
      const found = [...customers.values()].find((customer) => customer.tenantId === tenantId && isIt(customer));
      if (found === undefined) throw new Refusal("CUSTOMER_NOT_FOUND", "no such customer");
      const { tenantId: _tenantId, ...customer } = found;
      return { customer };
    },
    async getOrganisationPreference(_request, { tenantId }) {
      const preference = { baseCurrency: baseCurrencies.get(tenantId) ?? "USD", agentScope: "MANAGED" };
      return { tenant: { tenantId, preference } };
    },
  };
  const complianceHandlers: Partial<Handlers<ComplianceServiceDefinition>> = {
    checkCustomerAction: (request, call) =>
      faults.around("checkCustomerAction", call, () => {
        checks.push(request);
        return compliance.next.shift()?.() ?? compliance.of.get(request.actionId) ?? compliance.answer;
      }),
    async releaseReservation({ transactionId }) {
      compliance.released.push(transactionId);
      return {};
    },
  };
  const remittanceHandlers: Partial<Handlers<RemittanceServiceDefinition>> = {
    async getExchangeRate({ fromCurrency, toCurrency }) {
      const rate = rates.get(`${fromCurrency} ${toCurrency}`);
      if (rate === undefined) throw new Refusal("RATE_NOT_AVAILABLE", "no such rate");
      return { rate, source: "test", validFrom: new Date("2025-01-01T00:00:00Z") };
    },
  };
  const events = await createStandInEvents(network);
  return {
    events,
    faults,
    ledger,
    wallet,
    customers,
    baseCurrencies,
    rates,
    compliance,
    addresses: {
      EVENTS_ADDRESS: events.address,
      IDENTITY_ADDRESS: await network.standIn("identity", IdentityServiceDefinition, identityHandlers),
      COMPLIANCE_ADDRESS: await network.standIn("compliance", ComplianceServiceDefinition, complianceHandlers),
      REMITTANCE_ADDRESS: await network.standIn("remittance", RemittanceServiceDefinition, remittanceHandlers),
      WALLET_ADDRESS: await network.standIn("wallet", WalletServiceDefinition, wallet.handlers),
      LEDGER_ADDRESS: await network.standIn("ledger", LedgerServiceDefinition, ledger.handlers),
    },
  };
}
