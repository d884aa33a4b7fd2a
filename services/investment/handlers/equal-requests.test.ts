import { randomUUID } from "node:crypto";
import {
  createInvestmentFixture,
  type InvestmentFixture,
  type Investor,
} from "../../../test/support/investment-fixture.js";
import { testTenant } from "../../../test/support/index.js";
import { Refusal } from "../../kernel/refusal.js";
import { pause } from "../../../test/support/time.js";

jest.setTimeout(60_000);

interface Scene {
  readonly tenantId: string;
  readonly productId: string;
  readonly investor: Investor;
}

// Without Redis nothing tells the second request of the first but the record that both want to
// write.
describe.each([
  ["with Redis", {}],
  ["without Redis", { REDIS_URL: "redis://127.0.0.1:1" }],
])("%s", (name, env) => {
  let fixture: InvestmentFixture;
  beforeAll(async () => {
    fixture = await createInvestmentFixture(name === "with Redis" ? "invest_equal" : "invest_equal_away", { env });
  });
  afterAll(() => fixture?.close());

  async function holding({ investor, productId }: Scene): Promise<string> {
    const { application } = await fixture.apply(investor, { productId });
    return application!.holdingId;
  }

  async function waiting({ investor, productId }: Scene): Promise<string> {
    fixture.compliance.answer = { decision: "DECISION_REVIEW" };
    const { application } = await fixture.apply(investor, { productId });
    return application!.applicationId;
  }

  const operations: [string, (at: Scene) => Promise<{ request: object; by?: "MANAGER" }>][] = [
    [
      "apply",
      async ({ investor, productId }) => ({
        request: {
          productId,
          units: 10n,
          walletAccountId: investor.walletId,
          customerId: investor.customerId,
          customerName: "Amina Okafor",
        },
      }),
    ],
    ["withdrawApplication", async (at) => ({ request: { applicationId: await waiting(at) } })],
    ["redeemHolding", async (at) => ({ request: { holdingId: await holding(at), units: 3n } })],
    [
      "setPayoutWallet",
      async (at) => ({
        request: { holdingId: await holding(at), walletAccountId: (await fixture.withWallet(at.investor)).walletId },
      }),
    ],
    [
      "declareDividend",
      async (at) => {
        await holding(at);
        await fixture.passDays(at.tenantId, 10);
        const amount = { amountMinor: 10_00n, currency: "USD" };
        return {
          request: { productId: at.productId, from: "2025-01-01", to: "2025-01-11", amount },
          by: "MANAGER" as const,
        };
      },
    ],
  ];

  /** As a client does: one that is told that the same request is running asks again. */
  async function send(rpc: string, request: object, person: { tenantId: string; token?: string }): Promise<unknown> {
    const call = fixture.gateway[rpc as "apply"] as (request: object, call: unknown) => Promise<unknown>;
    for (let tries = 0; ; tries += 1) {
      try {
        return await call(request, fixture.calls(person));
      } catch (error) {
        if (!(error instanceof Refusal) || error.details?.retryAfterS === undefined || tries === 100) throw error;
        await pause(50);
      }
    }
  }

  test.each(operations)("%s: two equal requests at once are done once and get the same answer", async (rpc, make) => {
    const tenantId = testTenant();
    const { productId } = await fixture.product(tenantId);
    const investor = await fixture.investor({ tenantId, balance: 10_000_00n });
    const { request, by } = await make({ tenantId, productId, investor });
    const person = by === undefined ? investor : fixture.staff(tenantId, by);
    const requested = { ...request, idempotencyKey: randomUUID() };
    const [one, other] = await Promise.all([send(rpc, requested, person), send(rpc, requested, person)]);
    fixture.compliance.answer = { decision: "DECISION_APPROVED" };
    expect(other).toEqual(one);
    await fixture.settled(tenantId);
    await fixture.agree(tenantId);
  });
});
