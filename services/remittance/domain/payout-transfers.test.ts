import * as fc from "fast-check";
import { multiplyMoney, parseDecimal } from "../../kernel/decimal.js";
import { addMoney, money, type Money } from "../../kernel/money.js";
import {
  deductedInSendCurrency,
  paidTo,
  refundAccountOf,
  refundPlan,
  settlementTransfers,
  type PlannedTransfer,
} from "./payout-transfers.js";
import type { Transaction } from "./transaction.js";

const usd = (minor: bigint) => money(minor, "USD");
const ngn = (minor: bigint) => money(minor, "NGN");

function priced(principal: Money, receive: Money, rate: string, fees = 0n, taxes = 0n): Transaction {
  const [totalFees, totalTaxes] = [money(fees, principal.currency), money(taxes, principal.currency)];
  const total = addMoney(addMoney(principal, totalFees), totalTaxes);
  const price = { principal, receive, rate, totalFees, totalTaxes, total, fees: [], inclusive: false };
  return { transactionId: "t", transactionCode: "MN1", price } as unknown as Transaction;
}

/** Credits minus debits of each account, by currency, after the payment and these groups. */
function balances(transaction: Transaction, ...groups: PlannedTransfer[][]): Map<string, bigint> {
  const { principal, totalFees, totalTaxes } = transaction.price;
  const sums = new Map<string, bigint>();
  const move = (from: string, to: string, { minor, currency }: Money) => {
    for (const [id, sign] of [
      [from, -1n],
      [to, 1n],
    ] as const) {
      const key = id.includes(":") ? id : `${id}:${currency}`;
      sums.set(key, (sums.get(key) ?? 0n) + sign * minor);
    }
  };
  move("wallet", `remittance_clearing:${principal.currency}`, principal);
  move("wallet", `fee_income:${principal.currency}`, totalFees);
  move("wallet", `tax_payable:${principal.currency}`, totalTaxes);
  for (const transfer of groups.flat()) move(transfer.debitAccountId, transfer.creditAccountId, transfer.amount);
  return sums;
}

const clearingOf = (sums: Map<string, bigint>) =>
  [...sums].filter(([id]) => id.startsWith("remittance_clearing")).reduce((sum, [, minor]) => sum + minor, 0n);

const anyTransaction = fc
  .record({
    principal: fc.bigInt({ min: 1n, max: 10n ** 12n }),
    fees: fc.bigInt({ min: 0n, max: 10n ** 6n }),
    taxes: fc.bigInt({ min: 0n, max: 10n ** 5n }),
    rate: fc.constantFrom("1600", "0.85", "1", "0.9999", "1525.75", "0.00065"),
    to: fc.constantFrom("NGN", "USD", "KWD", "JPY"),
  })
  .map(({ principal, fees, taxes, rate, to }) => {
    const receive = multiplyMoney(usd(principal), parseDecimal(rate), to, "down");
    return priced(usd(principal), receive.minor > 0n ? receive : money(1n, to), rate, fees, taxes);
  });

describe("transfers of a payout", () => {
  test("100.00 USD at 1525.75, 2.50 of fee and 0.19 of tax: what each account has of it", () => {
    const transaction = priced(usd(100_00n), ngn(152_575_00n), "1525.75", 2_50n, 19n);
    const paidBy = (installationId?: string) => {
      const paid = { ...transaction, payout: { interactionId: "i", ...(installationId && { installationId }) } };
      return Object.fromEntries(balances(transaction, settlementTransfers(paid)));
    };
    const others = {
      "wallet:USD": -102_69n,
      "remittance_clearing:USD": 0n,
      "fee_income:USD": 2_50n,
      "tax_payable:USD": 19n,
      "exchange_position:USD": 100_00n,
      "exchange_position:NGN": -152_575_00n,
    };
    expect(paidBy()).toEqual({ ...others, "partner_settlement:operator:NGN": 152_575_00n });
    expect(paidBy("p-1")).toEqual({ ...others, "partner_settlement:p-1:NGN": 152_575_00n });
  });

  test("settled: principal out of clearing, the receive amount owed to the partner", () => {
    const transaction = priced(usd(100_00n), ngn(160_000_00n), "1600", 2_50n, 19n);
    expect(Object.fromEntries(balances(transaction, settlementTransfers(transaction)))).toEqual({
      "wallet:USD": -102_69n,
      "remittance_clearing:USD": 0n,
      "fee_income:USD": 2_50n,
      "tax_payable:USD": 19n,
      "exchange_position:USD": 100_00n,
      "exchange_position:NGN": -160_000_00n,
      "partner_settlement:operator:NGN": 160_000_00n,
    });
  });

  test("within one currency and without a difference straight to the partner", () => {
    const transaction = priced(usd(50_00n), usd(50_00n), "1");
    expect(settlementTransfers(transaction)).toMatchObject([
      { key: "clearing:t", creditAccountId: "partner_settlement:operator:USD", amount: usd(50_00n) },
    ]);
  });

  test("settled or refunded leave clearing at zero, and share the key by which they do", () => {
    fc.assert(
      fc.property(anyTransaction, (transaction) => {
        const settled = settlementTransfers(transaction);
        const { transfers, refunded } = refundPlan(transaction, { from: "CLEARING", isKeySpent: false }, "wallet");
        expect(clearingOf(balances(transaction, settled))).toBe(0n);
        expect(Object.fromEntries([...balances(transaction, transfers)].filter(([, minor]) => minor !== 0n))).toEqual(
          {},
        );
        expect(refunded).toEqual(transaction.price.total);
        expect(settled[0]!.key).toBe(transfers[0]!.key);
      }),
    );
  });

  test("sent back: clearing at zero, the partner owed what was kept, the wallet whole but for it", () => {
    fc.assert(
      fc.property(anyTransaction, fc.double({ min: 0, max: 1, noNaN: true }), (transaction, share) => {
        const { receive, total } = transaction.price;
        const deducted = { ...receive, minor: (receive.minor * BigInt(Math.round(share * 1_000))) / 1_000n };
        const charge = deductedInSendCurrency(transaction, deducted);
        const { transfers, refunded } = refundPlan(transaction, { from: "PARTNER", kept: deducted }, "wallet");
        const sums = balances(transaction, settlementTransfers(transaction), transfers);
        expect(clearingOf(sums)).toBe(0n);
        expect(sums.get(`partner_settlement:operator:${receive.currency}`)).toBe(deducted.minor);
        expect(sums.get("wallet:USD")).toBe(-charge.minor);
        expect(sums.get("bank_charges:USD") ?? 0n).toBe(charge.minor);
        expect(refunded.minor).toBe(total.minor - charge.minor);
        expect(charge.minor >= 0n && charge.minor <= transaction.price.principal.minor).toBe(true);
        expect(transfers.every(({ amount }) => amount.minor > 0n)).toBe(true);
        expect(new Set(transfers.map(({ key }) => key)).size).toBe(transfers.length);
      }),
    );
  });

  test.each([
    // 4,000 NGN ÷ 1600 = 2.50; 1 kobo is nothing; half a cent goes to the even cent.
    [ngn(4_000_00n), 2_50n],
    [ngn(1n), 0n],
    [ngn(8_00n), 0n],
    [ngn(24_00n), 2n],
    [ngn(160_000_00n), 100_00n],
  ])("what a bank kept is converted half-even at the transaction's rate: %j", (deducted, charge) => {
    const transaction = priced(usd(100_00n), ngn(160_000_00n), "1600");
    expect(deductedInSendCurrency(transaction, deducted)).toEqual(usd(charge));
  });
});

test("what was sold for cash comes back at a counter, whoever took the cash, and to the wallet what that has paid", () => {
  const sold = priced(usd(1n), ngn(1n), "1");
  for (const payer of ["cash_till:C1:USD", "agent_account:A1:USD"]) {
    expect(refundAccountOf(payer, sold)).toBe("counter_payable:USD");
  }
  expect(refundAccountOf("w-1", sold)).toBe("w-1");
});

test("cash is owed to the till or to the agent whose it was", () => {
  const handedOut = (pickup: object) => ({ ...priced(usd(1n), ngn(1n), "1"), pickup }) as unknown as Transaction;
  expect(paidTo(handedOut({ paidOutBy: "C1" }))).toBe("cash_till:C1:NGN");
  expect(paidTo(handedOut({ paidOutBy: "A1", isOfAgent: true }))).toBe("agent_unsettled:A1:NGN");
});
