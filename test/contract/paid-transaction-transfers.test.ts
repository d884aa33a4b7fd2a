import { transfersOfTransaction } from "../../services/wallet/domain/transfers.js";
import { settlementTransfers } from "../../services/remittance/domain/payout-transfers.js";

// What scaling.md and decision 0006 say of a transaction that was paid for and paid out.

const usd = (minor: bigint) => ({ minor, currency: "USD" });
const total = { fees: 250n, taxes: 20n };

function transfersOf({ fees, taxes }: typeof total, receive: { minor: bigint; currency: string }) {
  const payment = { paymentId: "p", accountId: "w", total: usd(10_000n + fees + taxes) };
  const due = {
    transactionCode: "T",
    principal: usd(10_000n),
    fees: usd(fees),
    taxes: usd(taxes),
    clearingAccountId: "remittance_clearing:USD",
    feeIncomeAccountId: "fee_income:USD",
    taxPayableAccountId: "tax_payable:USD",
  };
  const transaction = {
    transactionId: "t",
    transactionCode: "T",
    price: { principal: usd(10_000n), receive, rate: "2" },
  };
  return [
    ...transfersOfTransaction(payment as Parameters<typeof transfersOfTransaction>[0], due as never),
    ...settlementTransfers(transaction as Parameters<typeof settlementTransfers>[0]),
  ].map(({ debitAccountId, creditAccountId }) => `${debitAccountId} → ${creditAccountId}`);
}

test("a transaction with fee, tax and exchange is five transfers, and no two of them move between the same accounts", () => {
  expect(transfersOf(total, { minor: 20_000n, currency: "NGN" })).toEqual([
    "w → remittance_clearing:USD",
    "w → fee_income:USD",
    "w → tax_payable:USD",
    "remittance_clearing:USD → exchange_position:USD",
    "exchange_position:NGN → partner_settlement:operator:NGN",
  ]);
});

test("without fee, tax and exchange it is two: into clearing and out of it", () => {
  expect(transfersOf({ fees: 0n, taxes: 0n }, usd(10_000n))).toEqual([
    "w → remittance_clearing:USD",
    "remittance_clearing:USD → partner_settlement:operator:USD",
  ]);
});
