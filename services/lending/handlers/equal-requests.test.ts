import { randomUUID } from "node:crypto";
import {
  createLendingFixture,
  type LendingFixture,
  type LendingPerson,
} from "../../../test/support/lending-fixture.js";
import { Refusal } from "../../kernel/refusal.js";
import { pause } from "../../../test/support/time.js";

jest.setTimeout(60_000);

/** What is asked for, who asks, and what may be seen of it once it was done once. */
interface Requested {
  rpc: string;
  request: object;
  by: LendingPerson | undefined;
}
interface Scene {
  person: LendingPerson;
  manager: LendingPerson;
}

// Without Redis nothing tells the second request of the first but the record that both want to
// write.
describe.each([
  ["with Redis", {}],
  ["without Redis", { REDIS_URL: "redis://127.0.0.1:1" }],
])("%s", (name, env) => {
  let lending: LendingFixture;
  beforeAll(async () => {
    lending = await createLendingFixture(name === "with Redis" ? "lend_equal" : "lend_equal_away", {}, env);
  });
  afterAll(() => lending.close());

  const key = () => ({ idempotencyKey: randomUUID() });
  const reason = "because";

  async function applied({ person }: Scene, amount = "100"): Promise<string> {
    const request = { ...key(), productId: "personal", amount, instalments: 2 };
    const { application } = await lending.gateway.applyForLoan(request, lending.calls(person));
    return application?.loanApplicationId ?? "";
  }
  async function recorded({ person, manager }: Scene, verify = false) {
    const { accountId } = await lending.loan(person);
    const bankAccountId = lending.bankAccount(person);
    const { repayment } = await lending.repay(person, accountId, "10", { bankAccountId });
    const repaymentId = repayment?.repaymentId ?? "";
    if (verify) await lending.force(manager, repaymentId);
    return repaymentId;
  }
  async function writtenOff({ person, manager }: Scene): Promise<string> {
    const { accountId } = await lending.loan(person);
    const requested = await lending.gateway.writeOffLoan({ ...key(), accountId, reason }, lending.calls(manager));
    await lending.approve(requested.approvalId);
    return accountId;
  }
  async function overpaid({ person }: Scene): Promise<string> {
    const repayments = [{ paidOn: "2026-11-05", amount: "1319.42" }];
    return (await lending.loan(person, { repayments })).accountId;
  }
  async function payoff({ person }: Scene, more: object) {
    const { loanApplicationId } = await lending.loan(person);
    await lending.wallet(person, "USD", 500_000n);
    return { loanApplicationId, ...more };
  }

  const operations: [string, (at: Scene) => Promise<Omit<Requested, "rpc"> & { rpc?: string }>][] = [
    [
      "applyForLoan",
      async ({ person }) => ({ request: { productId: "personal", amount: "100", instalments: 2 }, by: person }),
    ],
    [
      "decideLoanApplication",
      async (at) => {
        lending.state.decision = "DECISION_REVIEW";
        const loanApplicationId = await applied(at).finally(() => (lending.state.decision = "DECISION_APPROVED"));
        return { request: { loanApplicationId, approve: true, reason }, by: at.manager };
      },
    ],
    [
      "acceptLoanOffer",
      async (at) => ({
        request: { loanApplicationId: await applied(at), walletAccountId: await lending.wallet(at.person, "USD", 0n) },
        by: at.person,
      }),
    ],
    ["withdrawLoanApplication", async (at) => ({ request: { loanApplicationId: await applied(at) }, by: at.person })],
    [
      "disburseLoan",
      async (at) => {
        const loanApplicationId = await applied(at);
        const to = { walletAccountId: await lending.wallet(at.person, "USD", 0n) };
        await lending.gateway.acceptLoanOffer({ ...key(), loanApplicationId, ...to }, lending.calls(at.person));
        return { request: { loanApplicationId, reason }, by: at.manager };
      },
    ],
    [
      "repayLoan",
      async ({ person }) => {
        const { accountId } = await lending.loan(person);
        const { userId, customerId } = person;
        const bankAccountId = lending.bankAccount(person);
        return { request: { userId, customerId, accountId, repaymentAmount: "10", bankAccountId }, by: person };
      },
    ],
    [
      "askRepaymentVerification",
      async (at) => ({ request: { repaymentId: await recorded(at), verify: true, reason }, by: at.manager }),
    ],
    [
      "forceRepaymentOutcome",
      async (at) => ({ request: { repaymentId: await recorded(at), verify: true, reason }, by: at.manager }),
    ],
    [
      "payoffLoan by WALLET",
      async (at) => ({ rpc: "payoffLoan", request: await payoff(at, { paymentMethod: "WALLET" }), by: at.person }),
    ],
    [
      "payoffLoan by CARD",
      async (at) => ({
        rpc: "payoffLoan",
        request: await payoff(at, { paymentMethod: "CARD", cardToken: "tok_ok" }),
        by: at.person,
      }),
    ],
    [
      "payoffLoan by BANK_TRANSFER",
      async (at) => ({
        rpc: "payoffLoan",
        request: await payoff(at, { paymentMethod: "BANK_TRANSFER" }),
        by: at.person,
      }),
    ],
    [
      "pauseDelinquency",
      async ({ person, manager }) => ({
        request: { accountId: (await lending.loan(person)).accountId, from: "2026-11-20", reason },
        by: manager,
      }),
    ],
    [
      "resumeDelinquency",
      async ({ person, manager }) => {
        const { accountId } = await lending.loan(person);
        const pause = { ...key(), accountId, from: "2026-11-20", reason };
        await lending.gateway.pauseDelinquency(pause, lending.calls(manager));
        return { request: { accountId }, by: manager };
      },
    ],
    [
      "chargeBackRepayment",
      async (at) => ({ request: { repaymentId: await recorded(at, true), reason }, by: at.manager }),
    ],
    [
      "writeOffLoan",
      async ({ person, manager }) => ({
        request: { accountId: (await lending.loan(person)).accountId, reason },
        by: manager,
      }),
    ],
    [
      "recordRecovery",
      async (at) => ({ request: { accountId: await writtenOff(at), amount: "1", reference: "B-1" }, by: at.manager }),
    ],
    [
      "rescheduleLoan",
      async ({ person, manager }) => ({
        request: {
          accountId: (await lending.loan(person)).accountId,
          instalments: 6,
          firstDueOn: "2027-01-01",
          reason,
        },
        by: manager,
      }),
    ],
    [
      "payBackOverpayment",
      async (at) => ({
        request: {
          accountId: await overpaid(at),
          walletAccountId: await lending.wallet(at.person, "USD", 0n),
          reason,
        },
        by: at.manager,
      }),
    ],
    [
      "importLoan",
      async ({ person: { customerId } }) => ({
        request: { customerId, productId: "personal", amount: "100", instalments: 2, disbursedOn: "2026-11-01" },
        by: undefined,
      }),
    ],
  ];

  /** As a client does: one that is told that the same request is running asks again. */
  async function send({ rpc, request, by }: Requested, tenantId: string): Promise<unknown> {
    const client = by === undefined ? lending.operator : lending.gateway;
    const call = client[rpc as "applyForLoan"] as (request: object, call: unknown) => Promise<unknown>;
    for (let tries = 0; ; tries += 1) {
      try {
        return await call(request, lending.calls(by ?? { tenantId }));
      } catch (error) {
        if (!(error instanceof Refusal) || error.details?.retryAfterS === undefined || tries === 100) throw error;
        await pause(50);
      }
    }
  }

  test.each(operations)("%s: two equal requests at once are done once and get the same answer", async (of, make) => {
    const person = lending.person();
    const { tenantId } = person;
    const at = { person, manager: lending.person(tenantId, "MANAGER") };
    await lending.product(tenantId);
    const { rpc = of, request, by } = await make(at);
    const requested = { rpc, request: { ...request, ...key() }, by };
    const [one, other] = await Promise.all([send(requested, tenantId), send(requested, tenantId)]);
    expect(other).toEqual(one);
    await lending.reconciled(tenantId);
  });
});
