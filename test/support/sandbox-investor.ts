import { randomUUID } from "node:crypto";
import type { OperatorClients } from "../../deploy/local/operator-clients.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { createEdgeClient, demoUser, type Demo, type EdgeAnswer } from "./edge-client.js";
import { productDraft } from "./investment-fixture.js";

const v1 = "/api/v1/user";
const v6 = "/api/v6/services";

export type SandboxInvestor = Awaited<ReturnType<typeof createSandboxInvestor>>;

/** Minor units of decimal text with two decimals. */
export const centsOf = (text: string): bigint => BigInt(text.replace(".", ""));

/** As many units as compliance wants to look at first. */
export const reviewedUnits = 7;
const reviewRule = {
  name: "investments of 700.00",
  action: "RULE_ACTION_REVIEW",
  visibility: "VISIBILITY_STAFF",
  condition: {
    operations: ["INVESTMENT"],
    amountAtLeast: { amountMinor: 700_00n, currency: "USD" },
    amountBelow: { amountMinor: 700_01n, currency: "USD" },
  },
} as const;

/**
 * A confirmed customer in the sandbox of the first demo tenant, whose date can be moved, with
 * 10,000.00 USD and a product of 100.00 a unit: 365 days at 6 %, simple, unless said otherwise.
 * Compliance reviews applications for 700.00. Everything that is asked goes through the edge.
 */
export async function createSandboxInvestor(
  demo: Demo,
  operator: OperatorClients,
  given: Partial<ReturnType<typeof productDraft>> = {},
) {
  const interactionId = `set-up:${randomUUID()}`;
  const { sandboxTenantId: tenantId } = await operator.identity.resolveHost(
    { host: demo.tenants[0]!.host },
    outgoing({ tenantId: "", interactionId }),
  );
  const call = () => outgoing({ tenantId, interactionId });
  await operator.compliance.putPolicy(
    { knowYourCustomerRules: [], transactionRules: [reviewRule], dailyLimits: [] },
    call(),
  );
  const email = `${randomUUID()}@demo.example`;
  const person = { email, password: "A-Long-Pass-1", firstName: "Efua", lastName: "Mensah", country: "USA" };
  const registered = await operator.identity.registerCustomer({ idempotencyKey: email, ...person }, call());
  const { customerId, userId } = registered.customer!;
  const confirmed = { customerId, status: "CUSTOMER_STATUS_CONFIRMED" as const, reason: "test" };
  await operator.compliance.setCustomerStatus(confirmed, call());
  const wallet = { idempotencyKey: randomUUID(), customerId, currency: "USD" };
  const { account } = await operator.wallet.openWalletAccount(wallet, call());
  const accountId = account!.accountId;
  const amount = { amountMinor: 10_000_00n, currency: "USD" };
  const deposit = { idempotencyKey: randomUUID(), accountId, amount, reference: "test" };
  await operator.wallet.recordDeposit(deposit, call());
  const product = { ...productDraft(), termMonths: 0, termDays: 365, ...given };
  await operator.investment.putProduct({ product }, call());

  const client = createEdgeClient(demo.baseUrl, "localhost", "/sandbox");
  const manager = createEdgeClient(demo.baseUrl, "localhost", "/sandbox");
  await client.login(person);
  await manager.login(demoUser(demo, "MANAGER"));
  const keyed = (key: string) => ({ "x-idempotency-key": key });

  return {
    tenantId,
    client,
    manager,
    product,
    userId,
    customerId,
    accountId,
    apply: (units: number, key: string = randomUUID()): Promise<EdgeAnswer> =>
      client.send("POST", `${v1}/apply`, {
        headers: keyed(key),
        body: {
          investmentProductId: product.productId,
          numberOfUnitsToPurchase: units,
          userWalletId: accountId,
          customerId,
          customerName: "mensah, EFUA",
        },
      }),
    redeem: (holdingId: string, units: number, key: string = randomUUID()): Promise<EdgeAnswer> =>
      client.send("POST", `${v1}/investments/${holdingId}/redeem`, {
        headers: keyed(key),
        body: { numberOfUnits: units },
      }),
    read: (holdingId: string) => client.send("GET", `${v1}/investments/${holdingId}`),
    application: (applicationId: string) => client.send("GET", `${v1}/investment-applications/${applicationId}`),
    withdraw: (applicationId: string, key: string = randomUUID()) =>
      client.send("POST", `${v1}/investment-applications/${applicationId}/withdraw`, { headers: keyed(key) }),
    decide: (applicationId: string, approve: boolean) =>
      manager.send("POST", `${v6}/compliance/reviews/${applicationId}/decision`, {
        body: { approve, reason: "seen the papers" },
      }),
    closeWallet: () =>
      client.send("POST", `${v6}/paymentmanagement/wallet-accounts/${accountId}/close`, { body: { reason: "test" } }),
    openWallet: () =>
      client.send("POST", `${v6}/paymentmanagement/wallet-accounts`, {
        headers: keyed(randomUUID()),
        body: { currency: "USD" },
      }),
    payInto: (holdingId: string, userWalletId: string) =>
      client.send("PUT", `${v1}/investments/${holdingId}/wallet`, {
        headers: keyed(randomUUID()),
        body: { userWalletId },
      }),
    balanceOf: async (walletId: string) => centsOf(await client.balanceOf(walletId)),
    unpaid: () => manager.send("GET", `${v1}/investments?unpaid=true`),
    statement: (holdingId: string) => client.send("GET", `${v1}/investments/${holdingId}/statement`),
    totals: () => client.send("GET", `${v1}/get-total/${userId}`),
    balance: async () => centsOf(await client.balanceOf(accountId)),
    advance: (days: number) =>
      manager.send("POST", `${v6}/admin/business-clock/advance`, { headers: keyed(randomUUID()), body: { days } }),
    declareDividend: (from: string, to: string, key: string = randomUUID()) =>
      manager.send("POST", `${v1}/investment-products/${product.productId}/dividends`, {
        headers: keyed(key),
        body: { from, to, amount: "10.00", currency: "USD" },
      }),
    dividend: (dividendId: string) => manager.send("GET", `${v1}/dividends/${dividendId}`),
    today: async (): Promise<string> =>
      (await manager.send("GET", `${v6}/admin/business-clock`)).body.data.businessDate,
    reconcile: () => operator.investment.reconcileInvestments({}, call()),
  };
}
