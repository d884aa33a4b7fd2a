import { v7 as uuidv7 } from "uuid";
import {
  AcceptLoanOfferRequest,
  AcceptLoanOfferResponse,
  type LendingServiceDefinition,
} from "../../../proto/gen/lending/v1/lending.js";
import { outgoing } from "../../kernel/grpc/client.js";
import type { Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { accept, pastFirstDue, type Application, type PayTo } from "../domain/application.js";
import { plainWeek } from "../domain/calendar.js";
import { newLoan } from "../domain/new-loan.js";
import { termsOf, type Product } from "../domain/product.js";
import type { LendingDeps } from "./deps.js";
import { notFound, visibleApplication } from "./visible.js";
import { applicationAnswer, productOf } from "../wire/application-answer.js";

/** Takes an approved offer, which makes the loan that waits to be paid out. */
export function offerHandlers(deps: LendingDeps) {
  const { store, runOnce, businessClock, clock } = deps;
  return {
    async acceptLoanOffer(request, call) {
      const { loanApplicationId } = request;
      const tenant = store.forTenant(call.tenantId);
      return runOnce({
        call,
        operation: "lending.v1.AcceptLoanOffer",
        request,
        requestType: AcceptLoanOfferRequest,
        response: AcceptLoanOfferResponse,
        async prepare() {
          const seen = await visibleApplication(deps, loanApplicationId, call);
          const product = await productOf(tenant, seen);
          const past = pastFirstDue(seen, (await businessClock.forTenant(call.tenantId)).today().toString());
          if (past !== undefined) throw past;
          return { payTo: await payToOf(deps, request, seen, product, call), product };
        },
        async work(session, { payTo, product }) {
          const now = await tenant.findApplication(loanApplicationId, session);
          if (now === undefined) throw notFound();
          const [accountId, createdAt] = [uuidv7(), clock.now()];
          const accepted = accept(now, payTo, accountId, createdAt);
          const calendar = (await tenant.findCalendar()) ?? plainWeek;
          const { customerId, asked: requested } = accepted;
          const terms = termsOf(product, requested, calendar);
          await tenant.replaceApplication(accepted, session);
          const loan = newLoan(product, terms, { accountId, loanApplicationId, customerId, createdAt });
          await tenant.insertLoan(loan, session);
          return { application: await applicationAnswer(tenant, accepted) };
        },
      });
    },
  } satisfies Partial<Handlers<LendingServiceDefinition>>;
}

/** Where the money is to go: one of the two, the customer's own, in the loan's currency. */
async function payToOf(
  { wallet }: LendingDeps,
  { walletAccountId, bankAccountId }: AcceptLoanOfferRequest,
  { customerId }: Application,
  { currency }: Product,
  call: Call,
): Promise<PayTo> {
  if ((walletAccountId === "") === (bankAccountId === "")) {
    throw invalidInput("walletAccountId", "this or bankAccountId is required, and not both");
  }
  if (walletAccountId !== "") {
    const { account } = await wallet.getWalletAccount({ accountId: walletAccountId }, outgoing(call));
    if (account?.customerId !== customerId)
      throw new Refusal("ACCOUNT_NOT_FOUND", "no such wallet account of this customer");
    if (account.currency !== currency) throw new Refusal("CURRENCY_MISMATCH", `the loan is in ${currency}`);
    return { kind: "WALLET", walletAccountId };
  }
  const { account } = await wallet.getBankAccount({ bankAccountId, customerId }, outgoing(call));
  if (account?.status !== "VERIFIED")
    throw new Refusal("BANK_ACCOUNT_MISMATCH", "no such verified bank account of the customer");
  if (account.currency !== currency) throw new Refusal("CURRENCY_MISMATCH", `the loan is in ${currency}`);
  return { kind: "BANK", bankAccountId };
}
