import { createHash } from "node:crypto";
import type { Loan } from "../../proto/gen/lending/v1/loan.js";
import { formatMoney, money } from "../../services/kernel/money.js";
import type { FixtureCustomer, FixtureLoan, FixtureLoanProduct } from "./fixture-schema.js";
import type { SeedTarget } from "./target.js";

/** A loan as demo.json shows it. */
export interface SeededLoan {
  accountId: string;
  /** Empty for one that came without an application. */
  loanApplicationId: string;
  loanProductName: string;
  currency: string;
  status: string;
  totalPayable: string;
  thirdPartyCollection: boolean;
}

export interface SeededBankAccount {
  bankAccountId: string;
  bankName: string;
  accountNumber: string;
  currency: string;
}

/** Loan products, and what customers have of loans and bank accounts, in one tenant. */
export function createLoanSeed({ clients, tenantId, call, step }: SeedTarget) {
  const { lending, wallet } = clients;

  async function importLoan(loan: FixtureLoan, customerId: string, known: readonly Loan[]): Promise<void> {
    const loanApplicationId = loan.withoutApplication === true ? "" : applicationIdOf(tenantId, customerId, loan.key);
    const isImported = known.some((one) =>
      loanApplicationId === "" ? one.loanApplicationId === "" : one.loanApplicationId === loanApplicationId,
    );
    // Its dates are counted from today: what is there already stays as it was made.
    if (isImported) return;
    const { product: productId, amount, instalments } = loan;
    const request = {
      idempotencyKey: `seed:${customerId}:${loan.key}`,
      customerId,
      productId,
      amount,
      instalments,
      disbursedOn: daysAgo(loan.disbursedDaysAgo),
      loanApplicationId,
      repayments: (loan.repaid ?? []).map((paid) => ({ paidOn: daysAgo(paid.daysAgo), amount: paid.amount })),
    };
    await lending.importLoan(request, call());
  }

  return {
    async products(products: readonly FixtureLoanProduct[]): Promise<void> {
      for (const [index, { id: productId, ...product }] of products.entries()) {
        await step(`/loanProducts/${index}`, () =>
          lending.putLoanProduct({ product: { productId, ...product } }, call()),
        );
      }
    },

    async loans({ loans = [] }: FixtureCustomer, path: string, customerId: string): Promise<SeededLoan[]> {
      if (loans.length === 0) return [];
      const everything = { customerId, page: 1, pageSize: 100 };
      const before = await step(`${path}/loans`, () => lending.listLoanHistory(everything, call()));
      for (const [index, loan] of loans.entries()) {
        await step(`${path}/loans/${index}`, () => importLoan(loan, customerId, before?.loans ?? []));
      }
      const after = await step(`${path}/loans`, () => lending.listLoanHistory(everything, call()));
      return (after?.loans ?? []).map((loan) => ({
        accountId: loan.accountId,
        loanApplicationId: loan.loanApplicationId,
        loanProductName: loan.productName,
        currency: loan.currency,
        status: loan.status,
        totalPayable: formatMoney(money(loan.totalPayableMinor, loan.currency)),
        thirdPartyCollection: loan.thirdPartyCollection,
      }));
    },

    async bankAccounts(customer: FixtureCustomer, path: string, customerId: string): Promise<SeededBankAccount[]> {
      for (const [index, account] of (customer.bankAccounts ?? []).entries()) {
        const { bankCode = "", ...rest } = account;
        const request = {
          idempotencyKey: `seed:${customerId}:${account.accountNumber}`,
          customerId,
          bankCode,
          ...rest,
        };
        await step(`${path}/bankAccounts/${index}`, () => wallet.addBankAccount(request, call()));
      }
      const listed = await step(`${path}/bankAccounts`, () => wallet.listBankAccounts({ customerId }, call()));
      return (listed?.accounts ?? []).map(({ bankAccountId, bankName, accountNumberMasked, currency }) => ({
        bankAccountId,
        bankName,
        accountNumber: accountNumberMasked,
        currency,
      }));
    },
  };
}

/** The same whenever a fixture is loaded, in the form of a UUID. */
function applicationIdOf(tenantId: string, customerId: string, key: string): string {
  const hex = createHash("sha256").update(`loan application ${tenantId} ${customerId} ${key}`).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function daysAgo(days: number): string {
  return Temporal.Now.plainDateISO("UTC").subtract({ days }).toString();
}
