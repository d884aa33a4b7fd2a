import type { LendingServiceDefinition } from "../../../proto/gen/lending/v1/lending.js";
import type { Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { Refusal } from "../../kernel/refusal.js";
import { viewOf } from "../domain/loan.js";
import { wholeOf } from "../wire/parse.js";
import { loanToWire, overpaymentRefundToWire, repaymentToWire } from "../wire/loans.js";
import type { LendingDeps } from "./deps.js";
import { visibleLoan } from "./visible.js";

const pageSize = 100;

export function loanHandlers(deps: LendingDeps) {
  const { store, people, businessClock, banks, collection } = deps;
  const todayOf = async ({ tenantId }: Call) => (await businessClock.forTenant(tenantId)).today().toString();

  /** The account that the tenant's own bank keeps for loans, where it names one. */
  async function collectionOf({ tenantId, interactionId }: Call): Promise<typeof collection> {
    const { loanBankName, loanBankCode, loanAccountNumber } =
      (await banks.configurationOf(tenantId, interactionId)) ?? {};
    if (typeof loanAccountNumber !== "string") return collection;
    return { bankName: String(loanBankName), bankCode: String(loanBankCode), accountNumber: loanAccountNumber };
  }

  return {
    async getLoan({ loanApplicationId }, call) {
      const loan = await visibleLoan(deps, loanApplicationId, call);
      const overpaymentRefunds = await store.forTenant(call.tenantId).listOverpaymentRefundsOf(loan.accountId);
      const shown = loanToWire(loan, await todayOf(call), { withSchedule: true });
      return { loan: { ...shown, overpaymentRefunds: overpaymentRefunds.map(overpaymentRefundToWire) } };
    },

    async listLoanHistory({ customerId, page, pageSize: size }, call) {
      await people.assertMaySee(customerId, call);
      wholeOf(page, "page", 1, 1_000_000);
      wholeOf(size, "size", 1, 100);
      const { loans, total } = await store.forTenant(call.tenantId).listLoansOf(customerId, (page - 1) * size, size);
      const today = await todayOf(call);
      return { loans: loans.map((loan) => loanToWire(loan, today)), total: BigInt(total) };
    },

    async getRepaymentInstructions({ loanApplicationId }, call) {
      const loan = await visibleLoan(deps, loanApplicationId, call);
      if (loan.status !== "ACTIVE") throw new Refusal("LOAN_CLOSED", "nothing is to be paid on this loan");
      if (loan.thirdPartyCollection) {
        throw new Refusal("MANUAL_REPAYMENT_NOT_ALLOWED", "somebody else collects the repayments of this loan");
      }
      const { position, nextDueOn = "", nextDueMinor } = viewOf(loan, await todayOf(call));
      return {
        ...(await collectionOf(call)),
        reference: loan.reference,
        accountHolderName: "Loan collections",
        currency: loan.currency,
        totalPayableMinor: position.totalPayableMinor - loan.pendingMinor,
        nextDueOn,
        nextDueMinor,
      };
    },

    async listRepaidTransactions({ customerId }, call) {
      await people.assertMaySee(customerId, call);
      return { repayments: (await store.forTenant(call.tenantId).listDoneOf(customerId)).map(repaymentToWire) };
    },

    async listPendingRepayments({ pageToken }, call) {
      const found = await store.forTenant(call.tenantId).listPending(pageToken, pageSize);
      const mine = call.user?.role === "AGENT" ? await people.visible(call) : undefined;
      const shown = mine === undefined ? found : found.filter(({ customerId }) => mine.includes(customerId));
      return {
        repayments: shown.map(repaymentToWire),
        nextPageToken: found.length < pageSize ? "" : (found.at(-1)?.repaymentId ?? ""),
      };
    },

    async listSuspense({ pageToken }, call) {
      const credits = await store.forTenant(call.tenantId).listSuspense(pageToken, pageSize);
      return {
        credits: credits.map(({ creditId, reference, amountMinor, currency, senderName, receivedAt }) => ({
          creditId,
          reference,
          amount: { amountMinor, currency },
          senderName,
          receivedAt,
        })),
        nextPageToken: credits.length < pageSize ? "" : (credits.at(-1)?.creditId ?? ""),
      };
    },
  } satisfies Partial<Handlers<LendingServiceDefinition>>;
}
