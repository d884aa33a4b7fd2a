import { randomUUID } from "node:crypto";
import {
  ComplianceServiceDefinition,
  type CheckWalletPaymentRequest,
  type CheckWalletPaymentResponse,
  type Move,
  type MoveAnswer,
} from "../../proto/gen/compliance/v1/compliance.js";
import type { Approval } from "../../proto/gen/identity/v1/approvals.js";
import { IdentityServiceDefinition } from "../../proto/gen/identity/v1/identity.js";
import {
  LedgerServiceDefinition,
  type GroupResult,
  type NewAccount,
  type Transfer,
} from "../../proto/gen/ledger/v1/ledger.js";
import { RemittanceServiceDefinition, type ClaimTransactionRequest } from "../../proto/gen/remittance/v1/remittance.js";
import { reasonOf, verdictOn } from "../../services/compliance/domain/moves.js";
import { answerEach } from "../../services/shared/batching/answer-each.js";
import type { Call } from "../../services/shared/grpc/context.js";
import type { Handlers } from "../../services/shared/grpc/server.js";
import { maxInt64 } from "../../services/shared/money.js";
import { passing, Refusal, type RefusalCode } from "../../services/shared/refusal.js";
import type { ServiceNetwork } from "./service-network.js";

/** Makes one call of an rpc fail, before or after it took effect: its caller cannot tell which. */
export function createFaults() {
  const armed = new Map<string, { when: "before" | "after"; code: RefusalCode; left: number }>();
  const called: string[] = [];
  return {
    /** Rpcs that were called, in order. */
    called,
    next(rpc: string, when: "before" | "after", code: RefusalCode = "UNAVAILABLE", times = 1): void {
      armed.set(rpc, { when, code, left: times });
    },
    clear: () => armed.clear(),
    async around<T>(rpc: string, work: () => T | Promise<T>): Promise<T> {
      called.push(rpc);
      const fault = armed.get(rpc);
      const isHit = fault !== undefined && fault.left-- > 0;
      if (isHit && fault.when === "before") throw new Refusal(fault.code, `${rpc} fails before`);
      const result = await work();
      if (isHit) throw new Refusal(fault.code, `${rpc} fails after`);
      return result;
    },
  };
}

interface BookedAccount {
  account: NewAccount;
  credits: bigint;
  debits: bigint;
  pending: bigint;
}

/** A ledger in memory that keeps what the wallet relies on: keys decide once, wallets do not go below zero, groups are whole. */
export function createStandInLedger(faults: ReturnType<typeof createFaults>) {
  const accounts = new Map<string, BookedAccount>();
  const decided = new Map<string, { content: string; result: GroupResult }>();
  const closed = new Set<string>();
  const posted: { transfer: Transfer; tenantId: string; interactionId: string; createdBy: string }[] = [];
  const at = (tenantId: string, id: string): string => `${tenantId} ${id}`;
  const balance = ({ credits, debits }: BookedAccount): bigint => credits - debits;

  const holds = new Map<string, { transfer: Transfer; state: string; dueAt: number }>();

  /** POST_PENDING and VOID_PENDING: what they name, or why they cannot. */
  function pendingOf(tenantId: string, { pendingKey }: Transfer): { transfer: Transfer } | string {
    const hold = holds.get(at(tenantId, pendingKey));
    if (hold === undefined) return "PENDING_NOT_FOUND";
    if (hold.state !== "PENDING") return "PENDING_ALREADY_RESOLVED";
    return hold.dueAt <= Date.now() ? "PENDING_EXPIRED" : hold;
  }

  function refusalOf(tenantId: string, transfers: readonly Transfer[]): GroupResult | undefined {
    const asked = new Map<string, bigint>();
    for (const [index, transfer] of transfers.entries()) {
      const { debitAccountId, creditAccountId, amount, pendingKey } = transfer;
      if (pendingKey !== "") {
        const pending = pendingOf(tenantId, transfer);
        if (typeof pending !== "string") {
          const { creditAccountId: payeeId } = pending.transfer;
          const isPosted = transfer.mode === "TRANSFER_MODE_POST_PENDING";
          if (isPosted) asked.set(payeeId, (asked.get(payeeId) ?? 0n) - (amount?.amountMinor ?? 0n));
          continue;
        }
        const told = { code: pending, message: pending, transferIndex: index, availableMinor: 0n, askedMinor: 0n };
        return { refused: { ...told, replayed: false, transferKey: transfer.key } };
      }
      const debit = accounts.get(at(tenantId, debitAccountId));
      const refused = (code: string, availableMinor = 0n): GroupResult => ({
        refused: {
          code,
          message: code,
          transferIndex: index,
          availableMinor,
          askedMinor: amount?.amountMinor ?? 0n,
          replayed: false,
          transferKey: transfers[index]!.key,
        },
      });
      if (!debit || !accounts.has(at(tenantId, creditAccountId))) return refused("ACCOUNT_NOT_FOUND");
      const isClosed = [debitAccountId, creditAccountId].some((id) => closed.has(at(tenantId, id)));
      if (isClosed) return refused("ACCOUNT_CLOSED");
      const minor = amount?.amountMinor ?? 0n;
      const sum = (asked.get(debitAccountId) ?? 0n) + minor;
      asked.set(debitAccountId, sum);
      // What an earlier leg of the group brings can be taken by a later one.
      asked.set(creditAccountId, (asked.get(creditAccountId) ?? 0n) - minor);
      const isLimited = debit.account.flags.includes("ACCOUNT_FLAG_DEBITS_MUST_NOT_EXCEED_CREDITS");
      const available = balance(debit) - debit.pending;
      if (isLimited && available < sum) return refused("INSUFFICIENT_FUNDS", available);
      const after = balance(accounts.get(at(tenantId, creditAccountId))!) + (amount?.amountMinor ?? 0n);
      if (after > maxInt64 || sum - balance(debit) > maxInt64) return refused("AMOUNT_TOO_LARGE");
    }
    return undefined;
  }

  function post(call: Call, transfers: readonly Transfer[], createdBy: string): GroupResult {
    const { tenantId, interactionId } = call;
    const key = at(tenantId, transfers[0]?.key ?? "");
    const content = JSON.stringify(transfers, (_key, value: unknown) =>
      typeof value === "bigint" ? `${value}` : value,
    );
    const before = decided.get(key);
    if (before) {
      if (before.content === content) return before.result;
      return {
        refused: {
          code: "KEY_REUSED",
          message: "other content",
          transferIndex: 0,
          availableMinor: 0n,
          askedMinor: 0n,
          replayed: false,
          transferKey: transfers[0]?.key ?? "",
        },
      };
    }
    const result = refusalOf(tenantId, transfers) ?? {
      posted: {
        replayed: false,
        transfers: transfers.map((given) => {
          const isEnd = given.pendingKey !== "";
          const hold = isEnd ? holds.get(at(tenantId, given.pendingKey)) : undefined;
          const { debitAccountId, creditAccountId } = hold?.transfer ?? given;
          const isVoid = given.mode === "TRANSFER_MODE_VOID_PENDING";
          const amount = given.amount ?? hold?.transfer.amount;
          const transfer = { ...given, debitAccountId, creditAccountId, amount };
          const [debit, credit] = [transfer.debitAccountId, transfer.creditAccountId].map((id) =>
            accounts.get(at(tenantId, id)),
          );
          const minor = transfer.amount?.amountMinor ?? 0n;
          if (given.mode === "TRANSFER_MODE_PENDING") {
            const dueAt = Date.now() + Number(given.pendingTimeout?.seconds ?? 1_000_000n) * 1_000;
            holds.set(at(tenantId, given.key), { transfer: given, state: "PENDING", dueAt });
            debit!.pending += minor;
          } else {
            if (hold !== undefined) {
              hold.state = isVoid ? "VOIDED" : "POSTED";
              debit!.pending -= hold.transfer.amount?.amountMinor ?? 0n;
            }
            if (!isVoid) {
              debit!.debits += minor;
              credit!.credits += minor;
            }
          }
          posted.push({ transfer, tenantId, interactionId, createdBy });
          return {
            key: transfer.key,
            transferId: `t:${transfer.key}`,
            sequence: BigInt(posted.length),
            postedAt: new Date(),
            debitBalanceMinor: balance(debit!),
            creditBalanceMinor: balance(credit!),
            amountMinor: minor,
          };
        }),
      },
    };
    decided.set(key, { content, result });
    return result;
  }

  const handlers: Partial<Handlers<LedgerServiceDefinition>> = {
    createAccounts: ({ accounts: asked }, { tenantId }) =>
      faults.around("createAccounts", () => {
        for (const account of asked) {
          const known = accounts.get(at(tenantId, account.accountId));
          if (known === undefined)
            accounts.set(at(tenantId, account.accountId), { account, credits: 0n, debits: 0n, pending: 0n });
          else if (JSON.stringify(known.account) !== JSON.stringify(account))
            throw new Refusal("KEY_REUSED", "differs");
        }
        return { accounts: asked };
      }),
    getAccounts: async ({ accountIds }, { tenantId }) => ({
      accounts: accountIds
        .map((id) => accounts.get(at(tenantId, id)))
        .filter((found) => found !== undefined)
        .map(({ account, credits, debits, pending }) => ({
          ...account,
          debitsPendingMinor: pending,
          creditsPostedMinor: credits,
          debitsPostedMinor: debits,
        })),
    }),
    postTransfers: ({ groups, createdBy }, call) =>
      faults.around("postTransfers", () => ({
        results: groups.map(({ transfers }) => post(call, transfers, createdBy)),
      })),
    postBatched: async ({ postings }, call) => ({
      answers: await answerEach("postings", postings, call, (request, own) => handlers.postTransfers!(request, own)),
    }),
    async listAccountEntries({ accountId, pageSize, cursor, newestFirst }, { tenantId }) {
      let balanceMinor = 0n;
      const entries = posted
        .filter((one) => one.tenantId === tenantId)
        .flatMap(({ transfer, interactionId }, index) => {
          const isDebit = transfer.debitAccountId === accountId;
          if (!isDebit && transfer.creditAccountId !== accountId) return [];
          const { amountMinor = 0n, currency = "" } = transfer.amount ?? {};
          balanceMinor += isDebit ? -amountMinor : amountMinor;
          const side = isDebit ? ("ENTRY_SIDE_DEBIT" as const) : ("ENTRY_SIDE_CREDIT" as const);
          const at = new Date(index);
          const { kind, description, key: entryId } = transfer;
          const shown = { entryId, kind, description, interactionId, executedAt: at, effectiveAt: at };
          return [{ ...shown, side, amount: { amountMinor, currency }, balanceMinor, sequence: BigInt(index) }];
        });
      if (newestFirst) entries.reverse();
      const start = Number(cursor || 0);
      const end = start + (pageSize || 100);
      return { entries: entries.slice(start, end), nextCursor: end < entries.length ? String(end) : "" };
    },
    closeAccount: ({ accountId }, { tenantId }) =>
      faults.around("closeAccount", () => {
        const found = accounts.get(at(tenantId, accountId)) ?? missing(accountId);
        if (balance(found) !== 0n) throw new Refusal("ACCOUNT_NOT_EMPTY", "there is money in it");
        closed.add(at(tenantId, accountId));
        return { account: found.account };
      }),
    getTransfer: ({ key }, { tenantId }) =>
      faults.around("getTransfer", () => {
        if (decided.get(at(tenantId, key))?.result.posted === undefined)
          throw new Refusal("TRANSFER_NOT_FOUND", "none");
        return { transfer: { transferId: `t:${key}` } };
      }),
  };
  return {
    handlers,
    posted,
    reopen: (tenantId: string, id: string) => closed.delete(at(tenantId, id)),
    ofTenant: (tenantId: string) => posted.filter((entry) => entry.tenantId === tenantId),
    account: (tenantId: string, id: string) => accounts.get(at(tenantId, id)),
    balance: (tenantId: string, id: string) => balance(accounts.get(at(tenantId, id)) ?? missing(id)),
  };
}

export interface StandInTransaction {
  tenantId: string;
  customerId: string;
  currency: string;
  principalMinor: bigint;
  feesMinor: bigint;
  taxesMinor: bigint;
  status: "AWAITING_PAYMENT" | "PAYING" | "PAID" | "EXPIRED";
  paymentId?: string;
  released: string[];
}

/** Remittance in memory: claims, releases and payments as its .proto says. */
export function createStandInRemittance(
  faults: ReturnType<typeof createFaults>,
  ledger: ReturnType<typeof createStandInLedger>,
) {
  const transactions = new Map<string, StandInTransaction>();
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

  const rates = new Map([
    ["USD/NGN", "1525.75"],
    ["USD/GBP", "0.79"],
  ]);
  const noted = <T>(rpc: string, call: Call, work: () => Promise<T>): Promise<T> => {
    calls.push({ rpc, interactionId: call.interactionId, userToken: call.userToken });
    return faults.around(rpc, work);
  };

  const handlers: Partial<Handlers<RemittanceServiceDefinition>> = {
    async getExchangeRate({ fromCurrency, toCurrency }) {
      const rate = rates.get(`${fromCurrency}/${toCurrency}`);
      if (rate === undefined) throw new Refusal("RATE_NOT_AVAILABLE", "no rate");
      return { rate, source: "stand-in", validFrom: new Date(0) };
    },
    claimTransaction: (request, call) =>
      noted("claimTransaction", call, async () => {
        const transaction = find(call, request.transactionId);
        checkPayable(transaction, request);
        if (transaction.status === "AWAITING_PAYMENT") transaction.status = "PAYING";
        transaction.paymentId = request.paymentId;
        const { currency, principalMinor, feesMinor, taxesMinor } = transaction;
        const account = (code: string) => `${code}:${currency}`;
        const codes = ["remittance_clearing", "fee_income", "tax_payable"];
        const accounts = codes.map((code) => ({
          accountId: account(code),
          code,
          currency,
          name: code,
          ownerId: "",
          flags: [],
          metadata: {},
        }));
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
  return { handlers, transactions, calls };
}

export const rightPassword = "correct horse battery";

/** Identity in memory: anybody whose customer id is known, one password, codes that work once. */
export function createStandInIdentity(faults: Pick<ReturnType<typeof createFaults>, "called">) {
  const customers = new Map<string, { tenantId: string; userId: string }>();
  const cashierTenants = new Set<string>();
  /** Of tenants that have some of their own. */
  const ceilings = new Map<string, { amountMinor: bigint; currency: string }[]>();
  const otpTenants = new Set<string>();
  const usedCodes = new Set<string>();
  const state = {
    /** Business time ahead of real time. */
    offsetMs: 0,
    approvals: [] as { key: string; approval: Approval; payloadJson: string; tenantId: string }[],
  };
  const verified: { userId: string; userToken: string | undefined }[] = [];
  /** By agent, whom they manage. */
  const managed = new Map<string, { customerId: string; firstName: string; lastName: string; phoneNumber: string }[]>();
  const handlers: Partial<Handlers<IdentityServiceDefinition>> = {
    async listManagedCustomers({ agentId }) {
      return { customers: managed.get(agentId) ?? [] };
    },
    async getCustomer({ customerId = "" }, { tenantId }) {
      const found = customers.get(customerId);
      if (found?.tenantId !== tenantId) throw new Refusal("CUSTOMER_NOT_FOUND", "no such customer");
      return { customer: { customerId, userId: found.userId, firstName: "Amina", lastName: "Bello", country: "NGA" } };
    },
    async getOrganisationPreference(_request, { tenantId }) {
      const preference = {
        cashierWalletPayments: cashierTenants.has(tenantId),
        currencies: ["USD", "NGN", "GBP"],
        amountCeilings: ceilings.get(tenantId) ?? [],
      };
      return { tenant: { tenantId, preference } };
    },
    async getTenantClock() {
      return { clock: { offsetMs: BigInt(state.offsetMs), timeZone: "Africa/Lagos" } };
    },
    async askApproval(request, call) {
      const { idempotencyKey: _key, payloadJson, ...asked } = request;
      const approval: Approval = {
        ...asked,
        approvalId: randomUUID(),
        status: "PENDING",
        askedBy: call.user?.userId ?? "",
        askedBecause: asked.reason,
        askedAt: new Date(),
        expiresAt: new Date(Date.now() + 86_400_000),
        decidedBy: "",
        decidedBecause: "",
        decidedAt: undefined,
        service: call.caller,
      };
      const known = state.approvals.find(({ key }) => key === request.idempotencyKey);
      if (known !== undefined) return { approval: known.approval };
      state.approvals.push({ key: request.idempotencyKey, approval, payloadJson, tenantId: call.tenantId });
      return { approval };
    },
    async verifyCredentials({ userId, password, otp, requireOtp }, { tenantId, userToken }) {
      faults.called.push("verifyCredentials");
      verified.push({ userId, userToken });
      if (password === "") throw new Refusal("PASSWORD_REQUIRED", "the password is required");
      if (password !== rightPassword) throw new Refusal("PASSWORD_WRONG", "the password is wrong");
      if (!otpTenants.has(tenantId) && requireOtp !== true) return {};
      if (otp === "") throw new Refusal("OTP_REQUIRED", "a one-time password is required");
      if (usedCodes.has(otp)) throw new Refusal("OTP_WRONG", "the one-time password is wrong");
      usedCodes.add(otp);
      return {};
    },
    verifyBatchedCredentials: async ({ checks }, call) => ({
      answers: await answerEach("checks", checks, call, (request, own) => handlers.verifyCredentials!(request, own)),
    }),
  };
  return { handlers, customers, cashierTenants, ceilings, otpTenants, verified, state, managed };
}

/** Compliance in memory: lets everything pass unless told otherwise. */
export function createStandInCompliance(faults: ReturnType<typeof createFaults>) {
  const checks: CheckWalletPaymentRequest[] = [];
  const settled: [rpc: string, paymentId: string][] = [];
  const moves: Move[] = [];
  const state = {
    checks,
    settled,
    moves,
    answer: { approved: true } as Partial<CheckWalletPaymentResponse>,
    /** Of customers who are not confirmed. */
    statuses: new Map<string, "PENDING" | "BLOCKED">(),
  };
  const verdictOf = ({ customerId, kind }: Move): MoveAnswer => {
    const status = state.statuses.get(customerId) ?? "CONFIRMED";
    const verdict = verdictOn(kind.replace("MOVE_KIND_", "") as Parameters<typeof verdictOn>[0], status);
    return { verdict: `MOVE_VERDICT_${verdict}`, reasonCode: verdict === "REFUSE" ? reasonOf(status) : "" };
  };
  const handlers: Partial<Handlers<ComplianceServiceDefinition>> = {
    checkWalletPayment: (request) =>
      faults.around("checkWalletPayment", () => {
        checks.push(request);
        const { customerId, payeeCustomerId, kind } = request;
        const { verdict, reasonCode } = verdictOf({ customerId, kind });
        if (verdict === "MOVE_VERDICT_REFUSE") return { approved: false, reasonCode };
        const received = verdictOf({ customerId: payeeCustomerId, kind: "MOVE_KIND_PAYMENT_RECEIVED" });
        const isHeldForPayee = customerId !== payeeCustomerId && received.verdict === "MOVE_VERDICT_HOLD";
        return { isHeldForPayee, ...state.answer };
      }),
    checkMoves: ({ moves: asked }) =>
      faults.around("checkMoves", () => {
        moves.push(...asked);
        return { answers: asked.map(verdictOf) };
      }),
    checkBatchedWalletPayments: async ({ checks: asked }, call) => ({
      answers: await answerEach("checks", asked, call, (request, own) => handlers.checkWalletPayment!(request, own)),
    }),
    async confirmReservation({ transactionId }) {
      settled.push(["confirm", transactionId]);
      return {};
    },
    async releaseReservation({ transactionId }) {
      settled.push(["release", transactionId]);
      return {};
    },
  };
  return { state, handlers };
}

export async function createWalletNeighbours(network: ServiceNetwork) {
  const faults = createFaults();
  const ledger = createStandInLedger(faults);
  const remittance = createStandInRemittance(faults, ledger);
  const identity = createStandInIdentity(faults);
  const compliance = createStandInCompliance(faults);
  return {
    faults,
    ledger,
    compliance,
    remittance,
    identity,
    addresses: {
      IDENTITY_ADDRESS: await network.standIn("identity", IdentityServiceDefinition, identity.handlers),
      COMPLIANCE_ADDRESS: await network.standIn("compliance", ComplianceServiceDefinition, compliance.handlers),
      LEDGER_ADDRESS: await network.standIn("ledger", LedgerServiceDefinition, ledger.handlers),
      REMITTANCE_ADDRESS: await network.standIn("remittance", RemittanceServiceDefinition, remittance.handlers),
    },
  };
}

function missing(id: string): never {
  throw new Error(`no account ${id}`);
}
