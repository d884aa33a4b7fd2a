import { v7 as uuidv7 } from "uuid";
import {
  AcceptLoanOfferRequest,
  AcceptLoanOfferResponse,
  ApplyForLoanRequest,
  ApplyForLoanResponse,
  DecideLoanApplicationRequest,
  DecideLoanApplicationResponse,
  WithdrawLoanApplicationRequest,
  WithdrawLoanApplicationResponse,
  type LendingServiceDefinition,
} from "../../../proto/gen/lending/v1/lending.js";
import { outgoing } from "../../shared/grpc/client.js";
import type { Call } from "../../shared/grpc/context.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { fingerprintOf } from "../../shared/idempotency/index.js";
import { money, moneyToWire } from "../../shared/money.js";
import { invalidInput, Refusal } from "../../shared/refusal.js";
import { accept, decide, pastFirstDue, withdraw, type Application, type PayTo } from "../domain/application.js";
import { plainWeek } from "../domain/calendar.js";
import { slotOf, type Loan } from "../domain/loan.js";
import { askedTerms, disbursementFeeOf, isAffordable, offerOf, termsOf, type Product } from "../domain/product.js";
import { dateOf, minorOf, textOf } from "../wire/parse.js";
import { requireCustomer } from "../clients/people.js";
import { referenceOf } from "../domain/reference.js";
import { nextAsk } from "../domain/review.js";
import type { TenantStore } from "../store/index.js";
import { applicationToWire } from "../wire/loans.js";
import type { LendingDeps } from "./deps.js";

type Rpcs =
  | "applyForLoan"
  | "getLoanApplication"
  | "listLoanApplications"
  | "decideLoanApplication"
  | "acceptLoanOffer"
  | "withdrawLoanApplication";

const pageSize = 50;
const statuses = ["SUBMITTED", "APPROVED", "REJECTED", "WITHDRAWN"];

export function applicationHandlers(deps: LendingDeps): Pick<Handlers<LendingServiceDefinition>, Rpcs> {
  const { store, requests, people, businessClock, clock } = deps;

  /** One that the caller may see; NOT_FOUND otherwise, FORBIDDEN for another customer's of the tenant. */
  async function visible(loanApplicationId: string, call: Call): Promise<Application> {
    const application = await store.forTenant(call.tenantId).findApplication(loanApplicationId);
    if (application === undefined) throw new Refusal("NOT_FOUND", "no such loan application");
    await people.assertMaySee(application.customerId, call);
    return application;
  }

  async function shown(tenant: TenantStore, application: Application) {
    const { productId, productVersion, asked } = application;
    const product = await tenant.findProductVersion(productId, productVersion);
    if (product === undefined) throw new Error(`product ${productId} ${productVersion} is not there`);
    const terms = termsOf(product, asked, (await tenant.findCalendar()) ?? plainWeek);
    return applicationToWire(application, product, offerOf(terms, disbursementFeeOf(product, asked.principalMinor)));
  }

  return {
    async applyForLoan(request, call) {
      const customerId = requireCustomer(call);
      const tenant = store.forTenant(call.tenantId);
      return requests.run({
        call,
        operation: "lending.v1.ApplyForLoan",
        key: request.idempotencyKey,
        fingerprint: fingerprintOf(ApplyForLoanRequest, request, ["idempotencyKey"]),
        response: ApplyForLoanResponse,
        prepare: () => assess(deps, request, customerId, call),
        async work(session, application) {
          await tenant.insertApplication(application, session);
          return { application: await shown(tenant, application) };
        },
      });
    },

    async getLoanApplication({ loanApplicationId }, call) {
      const application = await visible(loanApplicationId, call);
      return { application: await shown(store.forTenant(call.tenantId), application) };
    },

    async listLoanApplications({ status, customerId, pageToken }, call) {
      if (status !== "" && !statuses.includes(status))
        throw invalidInput("status", `must be one of ${statuses.join(", ")}`);
      const mine = await people.visible(call);
      const customerIds =
        customerId === "" ? mine : [customerId].filter((id) => mine === undefined || mine.includes(id));
      const tenant = store.forTenant(call.tenantId);
      const found = await tenant.listApplications(
        {
          ...(status === "" ? {} : { status }),
          ...(customerIds === undefined ? {} : { customerIds }),
          ...(pageToken === "" ? {} : { before: pageToken }),
        },
        pageSize,
      );
      return {
        applications: await Promise.all(found.map((application) => shown(tenant, application))),
        nextPageToken: found.length < pageSize ? "" : (found.at(-1)?.loanApplicationId ?? ""),
      };
    },

    async decideLoanApplication(request, call) {
      const { loanApplicationId, approve, idempotencyKey } = request;
      const reason = textOf(request.reason, "reason", { maximum: 200 });
      const tenant = store.forTenant(call.tenantId);
      return requests.run({
        call,
        operation: "lending.v1.DecideLoanApplication",
        key: idempotencyKey,
        fingerprint: fingerprintOf(DecideLoanApplicationRequest, request, ["idempotencyKey"]),
        response: DecideLoanApplicationResponse,
        async prepare() {
          const seen = await visible(loanApplicationId, call);
          if (!approve) return;
          const { product } = await productOf(tenant, seen);
          const amount = money(seen.asked.principalMinor, product.currency);
          const check = await deps.compliance.checkCustomerAction(
            {
              actionId: loanApplicationId,
              customerId: seen.customerId,
              kind: "LOAN_APPLICATION",
              amount: moneyToWire(amount),
            },
            outgoing(call),
          );
          if (check.decision !== "DECISION_APPROVED") {
            throw new Refusal("COMPLIANCE_REJECTED", "compliance has not approved this application");
          }
        },
        async work(session) {
          const now = await tenant.findApplication(loanApplicationId, session);
          if (now === undefined) throw new Refusal("NOT_FOUND", "no such loan application");
          const decided = decide(now, approve, reason, clock.now());
          await tenant.replaceApplication(decided, session);
          return { application: await shown(tenant, decided) };
        },
      });
    },

    async acceptLoanOffer(request, call) {
      const { loanApplicationId, idempotencyKey } = request;
      const tenant = store.forTenant(call.tenantId);
      return requests.run({
        call,
        operation: "lending.v1.AcceptLoanOffer",
        key: idempotencyKey,
        fingerprint: fingerprintOf(AcceptLoanOfferRequest, request, ["idempotencyKey"]),
        response: AcceptLoanOfferResponse,
        async prepare() {
          const seen = await visible(loanApplicationId, call);
          const { product } = await productOf(tenant, seen);
          const past = pastFirstDue(seen, (await businessClock.forTenant(call.tenantId)).today().toString());
          if (past !== undefined) throw past;
          return { payTo: await payToOf(deps, request, seen, product, call), product };
        },
        async work(session, { payTo, product }) {
          const now = await tenant.findApplication(loanApplicationId, session);
          if (now === undefined) throw new Refusal("NOT_FOUND", "no such loan application");
          const accountId = uuidv7();
          const accepted = accept(now, payTo, accountId, clock.now());
          const calendar = (await tenant.findCalendar()) ?? plainWeek;
          await tenant.replaceApplication(accepted, session);
          await tenant.insertLoan(
            loanOf(accepted, product, termsOf(product, accepted.asked, calendar), clock.now()),
            session,
          );
          return { application: await shown(tenant, accepted) };
        },
      });
    },

    async withdrawLoanApplication(request, call) {
      const { loanApplicationId, idempotencyKey } = request;
      const tenant = store.forTenant(call.tenantId);
      return requests.run({
        call,
        operation: "lending.v1.WithdrawLoanApplication",
        key: idempotencyKey,
        fingerprint: fingerprintOf(WithdrawLoanApplicationRequest, request, ["idempotencyKey"]),
        response: WithdrawLoanApplicationResponse,
        prepare: () => visible(loanApplicationId, call),
        async work(session) {
          const now = await tenant.findApplication(loanApplicationId, session);
          if (now === undefined) throw new Refusal("NOT_FOUND", "no such loan application");
          const withdrawn = withdraw(now);
          await tenant.replaceApplication(withdrawn, session);
          const loan = now.accountId === undefined ? undefined : await tenant.findLoan(now.accountId, session);
          if (loan !== undefined) {
            await tenant.replaceLoan({ ...loan, status: "CANCELLED", version: loan.version + 1 }, session);
          }
          return { application: await shown(tenant, withdrawn) };
        },
      });
    },
  };
}

export async function productOf(
  tenant: TenantStore,
  { productId, productVersion }: Pick<Application, "productId" | "productVersion">,
) {
  const product = await tenant.findProductVersion(productId, productVersion);
  if (product === undefined) throw new Error(`product ${productId} ${productVersion} is not there`);
  return { product };
}

/** What becomes of an application: compliance first, then whether it can be afforded. */
async function assess(
  deps: LendingDeps,
  request: ApplyForLoanRequest,
  customerId: string,
  call: Call,
): Promise<Application> {
  const { store, businessClock, compliance, clock } = deps;
  const tenant = store.forTenant(call.tenantId);
  const product = await tenant.findProduct(request.productId);
  if (product === undefined) throw new Refusal("LOAN_PRODUCT_NOT_FOUND", "no such loan product");
  const { currency } = product;
  const asked = {
    principalMinor: minorOf(request.amount, currency, "amount"),
    instalments: request.instalments,
    startsOn: (await businessClock.forTenant(call.tenantId)).today().toString(),
    ...(request.firstDueOn === "" ? {} : { firstDueOn: dateOf(request.firstDueOn, "firstDueOn") }),
  };
  const incomeMinor = minorOf(request.monthlyIncome, currency, "monthlyIncome", { optional: true });
  const obligationsMinor = minorOf(request.monthlyObligations, currency, "monthlyObligations", { optional: true });
  const purpose = textOf(request.purpose, "purpose", { minimum: 0, maximum: 200 });
  await deps.ceilings.check(call, { minor: asked.principalMinor, currency });
  const terms = askedTerms(product, asked, (await tenant.findCalendar()) ?? plainWeek);
  const loanApplicationId = uuidv7();
  const submitted: Application = {
    loanApplicationId,
    customerId,
    productId: product.productId,
    productVersion: product.version,
    asked,
    purpose,
    incomeMinor,
    obligationsMinor,
    status: "SUBMITTED",
    reasonCode: "",
    reason: "",
    outstandingRequirements: [],
    createdAt: clock.now(),
    version: 1,
  };
  const amount = moneyToWire(money(asked.principalMinor, currency));
  const check = await compliance.checkCustomerAction(
    { actionId: loanApplicationId, customerId, kind: "LOAN_APPLICATION", amount },
    outgoing(call),
  );
  const at = { decidedAt: clock.now() };
  if (check.decision === "DECISION_REJECTED") {
    return {
      ...submitted,
      ...at,
      status: "REJECTED",
      reasonCode: "COMPLIANCE",
      reason: "the application was not approved",
    };
  }
  const offer = offerOf(terms, disbursementFeeOf(product, asked.principalMinor));
  if (!isAffordable(product, offer, { incomeMinor, obligationsMinor })) {
    const reason = "the instalments are more than the income allows";
    return { ...submitted, ...at, status: "REJECTED", reasonCode: "AFFORDABILITY", reason };
  }
  if (check.decision === "DECISION_APPROVED" && product.approvedAtOnce)
    return { ...submitted, ...at, status: "APPROVED" };
  const { outstandingRequirements } = check;
  return {
    ...submitted,
    reasonCode: "REVIEW",
    reason: "it is being looked at",
    outstandingRequirements,
    ...(check.decision === "DECISION_APPROVED" ? {} : { askAgainAt: nextAsk(submitted, at.decidedAt) }),
  };
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

/** The loan that an accepted offer becomes; its schedule begins anew on the day it is paid out. */
function loanOf(application: Application, product: Product, terms: Loan["terms"], createdAt: Date): Loan {
  const { accountId = "", loanApplicationId, customerId } = application;
  requireNotEmpty(accountId);
  const { cost } = offerOf(terms, disbursementFeeOf(product, terms.principalMinor));
  return {
    accountId,
    loanApplicationId,
    customerId,
    productId: product.productId,
    productVersion: product.version,
    productName: product.name,
    currency: product.currency,
    terms,
    thirdPartyCollection: product.thirdPartyCollection,
    bucketStarts: product.bucketStarts,
    reference: referenceOf(accountId),
    apr: cost?.apr ?? "",
    effectiveRate: cost?.effectiveRate ?? "",
    status: "PENDING_DISBURSEMENT",
    disbursement: [],
    events: [],
    pauses: [],
    pendingMinor: 0n,
    booked: {},
    bookedAccruedMinor: 0n,
    accrual: { through: "", accruedMinor: 0n },
    slot: slotOf(accountId),
    version: 1,
    createdAt,
  };
}

function requireNotEmpty(accountId: string): void {
  if (accountId === "") throw new Error("an accepted application has an account");
}
