import { RemittanceServiceDefinition, type ClaimTransactionRequest } from "../../proto/gen/remittance/v1/remittance.js";
import { Transfer } from "../../proto/gen/ledger/v1/ledger.js";
import type { Call } from "../../services/kernel/grpc/context.js";
import type { Handlers } from "../../services/kernel/grpc/server.js";
import { passing, Refusal } from "../../services/kernel/refusal.js";
import { createFaults } from "./rpc-faults.js";
import { createStandInLedger } from "./stand-in-ledger.js";

export interface StandInTransaction {
  tenantId: string;
  customerId: string;
  currency: string;
  principalMinor: bigint;
  feesMinor: bigint;
  taxesMinor: bigint;
  fxMarginMinor?: bigint;
  status: "AWAITING_PAYMENT" | "PAYING" | "PAID" | "EXPIRED";
  paymentId?: string;
  released: string[];
  /** What is missing of it where it is paid for with cash. */
  missingForCash?: readonly string[];
  /** What claims said of how their wallets were funded, one by one. */
  fundings?: string[];
  /** Accounts that payments of it claimed with. */
  debited?: string[];
  /** Tills that claimed it. */
  tills?: string[];
}

/** Cash that waits for its recipient. */
export interface StandInPickup {
  tenantId: string;
  amountMinor: bigint;
  currency: string;
  code: string;
  wrongTries: number;
  handedOut?: { handOutId: string; cashierId: string };
  /** What an agent hands out is not booked at once: the test books it. */
  isBookedLater?: true;
}

/** Remittance in memory: claims, releases and payments as its .proto says. */
export function createStandInRemittance(
  faults: ReturnType<typeof createFaults>,
  ledger: ReturnType<typeof createStandInLedger>,
) {
  const transactions = new Map<string, StandInTransaction>();
  const pickups = new Map<string, StandInPickup>();
  // By the hand-out's id: each is decided once.
  type Decided = { refused?: { code: string; message: string; retryAfterS: number }; settlementKey?: string };
  const decided = new Map<string, Decided>();
  const calls: { rpc: string; interactionId: string; userToken: string | undefined }[] = [];

  function find(call: Call, id: string): StandInTransaction {
    const found = transactions.get(id);
    if (found?.tenantId !== call.tenantId) throw new Refusal("TRANSACTION_NOT_FOUND", "no such transaction");
    return found;
  }

  function checkPayable(transaction: StandInTransaction, request: ClaimTransactionRequest): void {
    const { status, released, customerId, currency, principalMinor, feesMinor, taxesMinor } = transaction;
    if (request.customerId !== customerId) throw new Refusal("PAYER_NOT_SENDER", "not the sender");
    const isMine = transaction.paymentId === request.paymentId && !released.includes(request.paymentId);
    if (isMine && (status === "PAYING" || status === "PAID")) return;
    if (status === "PAID") throw new Refusal("PAYABLE_ALREADY_PAID", "paid already");
    if (status === "EXPIRED") throw new Refusal("TRANSACTION_EXPIRED", "too late");
    if (status === "PAYING") throw passing("TRANSACTION_NOT_PAYABLE", "not now");
    if (released.includes(request.paymentId)) throw new Refusal("TRANSACTION_NOT_PAYABLE", "given back");
    if (request.totalAmount?.currency !== currency) throw new Refusal("CURRENCY_MISMATCH", "other currency");
    if (request.totalAmount.amountMinor !== principalMinor + feesMinor + taxesMinor) {
      throw new Refusal("AMOUNT_MISMATCH", "another amount is due");
    }
  }

  const own = (code: string, currency: string) => ({
    accountId: `${code}:${currency}`,
    code,
    currency,
    name: code,
    ownerId: "",
    flags: [],
    metadata: {},
  });

  /** Clearing → what the agent is owed. */
  async function settle(key: string, { amountMinor, currency }: StandInPickup, agentId: string, call: Call) {
    const clearing = own("remittance_clearing", currency);
    await ledger.handlers.createAccounts!({ accounts: [clearing] }, call);
    const transfer = Transfer.fromPartial({
      key,
      debitAccountId: clearing.accountId,
      creditAccountId: `agent_unsettled:${agentId}:${currency}`,
      amount: { amountMinor, currency },
      kind: "settlement",
    });
    await ledger.handlers.postTransfers!({ groups: [{ transfers: [transfer] }], createdBy: "remittance" }, call);
  }

  const rates = new Map([
    ["USD/NGN", "1525.75"],
    ["USD/GBP", "0.79"],
  ]);
  const noted = <T>(rpc: string, call: Call, work: () => Promise<T>): Promise<T> => {
    calls.push({ rpc, interactionId: call.interactionId, userToken: call.userToken });
    return faults.around(rpc, call, work);
  };

  /** By tenant and code: whether it is switched on. */
  const branches = new Map<string, boolean>();
  const handlers: Partial<Handlers<RemittanceServiceDefinition>> = {
    async getBranch({ code }, { tenantId }) {
      const enabled = branches.get(`${tenantId} ${code}`);
      if (enabled === undefined) throw new Refusal("NOT_FOUND", "no such branch");
      return { branch: { code, name: code, country: "NGA", allocatedTo: "TENANT", enabled, version: 1 } };
    },
    async getExchangeRate({ fromCurrency, toCurrency }) {
      const rate = rates.get(`${fromCurrency}/${toCurrency}`);
      if (rate === undefined) throw new Refusal("RATE_NOT_AVAILABLE", "no rate");
      return { rate, source: "stand-in", validFrom: new Date(0) };
    },
    findPickup: async ({ transactionCode }, call) => {
      const found = pickups.get(transactionCode);
      if (found?.tenantId !== call.tenantId) throw new Refusal("TRANSACTION_NOT_FOUND", "no such transaction");
      const amount = { amountMinor: found.amountMinor, currency: found.currency };
      const isHandedOut = found.handedOut !== undefined;
      return { transactionId: transactionCode, transactionCode, amount, recipientName: "Ngozi Okafor", isHandedOut };
    },
    findSale: async ({ transactionId }, call) => {
      const {
        customerId,
        currency,
        principalMinor,
        feesMinor,
        taxesMinor,
        fxMarginMinor = 0n,
        status,
      } = find(call, transactionId);
      if (status === "PAID") throw new Refusal("PAYABLE_ALREADY_PAID", "paid already");
      if (status === "EXPIRED") throw new Refusal("TRANSACTION_EXPIRED", "too late");
      if (status === "PAYING") throw passing("TRANSACTION_NOT_PAYABLE", "not now");
      const total = { amountMinor: principalMinor + feesMinor + taxesMinor, currency };
      return {
        transactionId,
        transactionCode: "MNL-TEST",
        customerId,
        total,
        corridor: "USA-NGA",
        method: "CASH_PICKUP",
        principalMinor,
        feesMinor,
        fxMarginMinor,
      };
    },
    handOutCash: (request, call) =>
      noted("handOutCash", call, async () => {
        const { idempotencyKey: handOutId, transactionId, cashierId, pickupCode } = request;
        const before = decided.get(handOutId);
        if (before !== undefined) return before;
        const pickup = pickups.get(transactionId)!;
        const refuse = (code: string, retryAfterS = 0) => ({ refused: { code, message: code, retryAfterS } });
        const settlementKey = `clearing:${transactionId}`;
        let decision: Decided = { settlementKey };
        if (pickupCode === "") decision = refuse("STATE_CONFLICT", 1);
        else if (pickup.handedOut !== undefined) decision = refuse("STATE_CONFLICT");
        else if (pickupCode !== pickup.code) {
          pickup.wrongTries += 1;
          decision = refuse("PICKUP_CODE_WRONG");
        } else {
          pickup.handedOut = { handOutId, cashierId };
          if (request.ofAgent && pickup.isBookedLater !== true) await settle(settlementKey, pickup, cashierId, call);
        }
        decided.set(handOutId, decision);
        return decision;
      }),
    claimTransaction: (request, call) =>
      noted("claimTransaction", call, async () => {
        const transaction = find(call, request.transactionId);
        (transaction.fundings ??= []).push(request.funding);
        (transaction.debited ??= []).push(request.accountNumber);
        if (request.tillId !== "") (transaction.tills ??= []).push(request.tillId);
        checkPayable(transaction, request);
        const { missingForCash = [] } = transaction;
        if (request.funding === "CASH" && missingForCash.length > 0) {
          const errors = missingForCash.map((path) => ({ path, message: "is needed" }));
          throw new Refusal("TRANSPARENCY_INCOMPLETE", "details are missing", { errors });
        }
        if (transaction.status === "AWAITING_PAYMENT") transaction.status = "PAYING";
        transaction.paymentId = request.paymentId;
        const { currency, principalMinor, feesMinor, taxesMinor } = transaction;
        const account = (code: string) => `${code}:${currency}`;
        const codes = ["remittance_clearing", "fee_income", "tax_payable"];
        const accounts = codes.map((code) => own(code, currency));
        await ledger.handlers.createAccounts!({ accounts }, call);
        return {
          principal: { amountMinor: principalMinor, currency },
          totalFees: { amountMinor: feesMinor, currency },
          totalTaxes: { amountMinor: taxesMinor, currency },
          clearingAccountId: account("remittance_clearing"),
          feeIncomeAccountId: account("fee_income"),
          taxPayableAccountId: account("tax_payable"),
          transactionCode: "MNL-TEST",
        };
      }),
    releaseTransaction: (request, call) =>
      noted("releaseTransaction", call, async () => {
        const transaction = find(call, request.transactionId);
        const isHolder = transaction.paymentId === request.paymentId;
        if (isHolder && transaction.status === "PAID") throw new Refusal("STATE_CONFLICT", "it is paid");
        if (isHolder && transaction.status === "PAYING") transaction.status = "AWAITING_PAYMENT";
        transaction.released.push(request.paymentId);
        return {};
      }),
    markTransactionPaid: (request, call) =>
      noted("markTransactionPaid", call, async () => {
        const transaction = find(call, request.transactionId);
        if (transaction.paymentId !== request.paymentId) throw new Refusal("STATE_CONFLICT", "another payment's");
        transaction.status = "PAID";
        return {};
      }),
  };
  return { handlers, transactions, pickups, branches, calls };
}
