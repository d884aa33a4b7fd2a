import { approveShown } from "../support/approve-shown.js";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Cluster } from "../../deploy/local/cluster.js";
import { createOperatorClients, type OperatorClients } from "../../deploy/local/operator-clients.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { declaredCrashPoints, isPaymentPoint, killedAt } from "../support/crash-points.js";
import {
  createEdgeClient,
  demoUser,
  readDemo,
  services,
  type DemoUser,
  type EdgeClient,
} from "../support/edge-client.js";
import { seedDemo, startBuiltCluster } from "../support/global-setup-e2e.js";
import { waitFor } from "../support/index.js";
import { cents, insist, insistOnRpc } from "./payment-jobs.js";
import { Refusal } from "../../services/kernel/refusal.js";

jest.setTimeout(120_000);

const patience = { timeoutMs: 60_000, everyMs: 200 };
const desk = `${services}/transactionmanagement`;
// 20.00, fee 2.00 + 50 bps, tax 750 bps on the fee.
const totalMinor = 22_26n;
const refundMinor = 5_00n;
// 20.00 USD at 129.20.
const deliveredMinor = 2_584_00n;

let names = 0;

type Job = "refund" | "pickup" | "corridor" | "delivery" | "recall" | "reversal" | "amendment" | "trace";

// A decision of compliance that comes later changes nothing but the transaction, and is told again
// until it is taken.
const points = [
  ...declaredCrashPoints("remittance").filter((name) => !isPaymentPoint(name)),
  // The cash of a pickup comes out of a till, which wallet keeps.
  ...declaredCrashPoints("wallet").filter((name) => name.startsWith("wallet.pickup.")),
  "shared.approval.carried-out",
]
  // Blocks are stopped in test/faults/block-crash-points.test.ts, plugins in
  // plugin-crash-points.test.ts, files of banks in the tests of clients/bank-files, recipients who
  // were changed, exports and middle rates beside their jobs.
  .filter(
    (name) =>
      name !== "remittance.decision.stored" &&
      // Of sales for cash: agent-settlement-kills.test.ts.
      name !== "remittance.completion.told" &&
      !/^remittance\.(block|plugin|payee|bank-file|recipient|export|middle-rates)\./.test(name),
  )
  .map((name) => ({ name, job: jobOf(name) }));

function jobOf(name: string): Job {
  if (/^(remittance|wallet)\.pickup\./.test(name)) return "pickup";
  if (name === "remittance.delivery.recalled") return "recall";
  if (name.startsWith("remittance.delivery.")) return "delivery";
  if (name === "remittance.refund.request-taken") return "reversal";
  if (name.startsWith("remittance.amendment.")) return "amendment";
  if (name.startsWith("remittance.trace.")) return "trace";
  return name.startsWith("remittance.change.") ? "corridor" : "refund";
}

describe("remittance and wallet killed with -9 while the desk works", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "manilla-desk-"));
  const pointFiles = {
    remittance: join(dataDir, "crash-points", "remittance"),
    wallet: join(dataDir, "crash-points", "wallet"),
  };
  let armed = pointFiles.remittance;
  const edge = {} as Record<"amina" | "asker" | "approver" | "cashier", EdgeClient>;
  let cluster: Cluster;
  let operator: OperatorClients;
  let amina: DemoUser;
  let kofi: DemoUser;
  let accountId: string;

  beforeAll(async () => {
    const processEnv = {
      remittance: killedAt(pointFiles.remittance),
      wallet: killedAt(pointFiles.wallet),
    };
    const backoff = { firstMs: 20, maxMs: 20 };
    cluster = (await startBuiltCluster({ dataDir, port: 0, quiet: true, processEnv, backoff })) as Cluster;
    seedDemo(dataDir);
    mkdirSync(join(dataDir, "crash-points"));
    const { identity = "", compliance = "", remittance = "", wallet = "", ledger = "" } = cluster.file.addresses;
    const { lending = "", investment = "" } = cluster.file.addresses;
    const { operatorKeyFile } = cluster.file.keys;
    const addresses = { identity, compliance, remittance, wallet, ledger, lending, investment };
    operator = await createOperatorClients({ ...addresses, operatorKeyFile });
    const demo = readDemo(dataDir);
    amina = demoUser(demo, "CUSTOMER", { email: "amina" });
    kofi = demoUser(demo, "CUSTOMER", { email: "kofi" });
    accountId = amina.wallets!.find(({ currency }) => currency === "USD")!.accountId;
    const managers = demo.tenants[0]!.users.filter(({ role }) => role === "MANAGER");
    const users = { amina, asker: managers[0]!, approver: managers[1]!, cashier: demoUser(demo, "CASHIER") };
    for (const [name, user] of Object.entries(users)) {
      const client = createEdgeClient(demo.baseUrl);
      await client.login(user);
      edge[name as keyof typeof edge] = client;
    }
    await openCashPoint();
    const opened = await edge.cashier.send("POST", `${services}/paymentmanagement/tills`, {
      headers: { "x-idempotency-key": randomUUID() },
      body: { currency: "NGN", float: "1000000.00" },
    });
    expect(opened.status).toBe(200);
  });

  afterAll(async () => {
    operator?.close();
    await cluster?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const call = () => outgoing({ tenantId: "demo", interactionId: randomUUID() });
  const corridorToNigeria = async () => {
    // The process may still be on its way back from being killed.
    const { corridors } = await insistOnRpc(() => operator.remittance.listCorridors({}, call()));
    return corridors.find((one) => one.sendCurrency === "USD" && one.receivingCountry === "NGA")!;
  };

  /** Cash of our own, which no partner pays out. */
  async function openCashPoint(): Promise<void> {
    const corridor = await corridorToNigeria();
    const deliveryMethods = [...new Set([...corridor.deliveryMethods, "DELIVERY_METHOD_CASH_PICKUP" as const])];
    await operator.remittance.putCorridor({ corridor: { ...corridor, deliveryMethods } }, call());
    const point = {
      code: "CASH-1",
      name: "Marina",
      type: "PAYOUT_POINT_TYPE_CASH",
      country: "NGA",
      currency: "NGN",
    } as const;
    const limits = { minimumMinor: 0n, maximumMinor: 10n ** 12n };
    await operator.remittance.putPayoutPoint({ point: { ...point, ...limits, enabled: true } }, call());
  }

  /** In one step: the process reads it at every point. */
  function arm(name: string): void {
    armed = name.startsWith("wallet.") ? pointFiles.wallet : pointFiles.remittance;
    writeFileSync(`${armed}.new`, name);
    renameSync(`${armed}.new`, armed);
  }

  /** The process was killed there: it takes the file away first. */
  const wasKilled = () => waitFor(() => !existsSync(armed), { ...patience, what: "the process to be killed" });

  const force = async (rule: object) => {
    const url = `http://${cluster.file.addresses["partner"]}/control/rules`;
    expect((await fetch(url, { method: "POST", body: JSON.stringify(rule) })).ok).toBe(true);
  };

  const balance = () =>
    waitFor(() => edge.amina.balanceOf(accountId).then((text) => ({ minor: cents(text) })), patience).then(
      ({ minor }) => minor,
    );
  const statusOf = async (id: string): Promise<string> =>
    (await insist(() => edge.asker.readTransaction(id))).body?.data?.status;
  const until = (id: string, status: string) =>
    waitFor(async () => (await statusOf(id)) === status, {
      ...patience,
      what: `transaction ${id} to be ${status}`,
    });

  async function paid(body: Record<string, unknown> = {}, to = "NGA", rule?: object) {
    const order = { sendAmount: "20.00", sendCurrency: "USD", originCountry: "USA", to, body };
    const key = { "x-idempotency-key": randomUUID() };
    const created = (await insist(() => edge.amina.createTransaction(amina, order, key))).body.data;
    if (rule !== undefined) await force({ ...rule, reference: created.id });
    const payment = { payAbleId: created.id, accountId, total: created.totalAmount, paymentGatewayRef: randomUUID() };
    const answer = await insist(() => edge.amina.pay(amina, payment));
    expect(answer.status).toBe(200);
    const { id, transactionCode } = created as { id: string; transactionCode: string };
    return { id, transactionCode, paymentId: answer.body.data.paymentId as string };
  }

  /** Into kofi's wallet. */
  const paidToWallet = () => {
    const { code, creditParty } = amina.beneficiaries!.find(({ deliveryMethods }) => deliveryMethods[0] === "WALLET")!;
    return paid({ type: "WALLET", preExistingRecipientCustomerCode: code, creditParty }, "KEN");
  };
  const receivedMinor = async (): Promise<bigint> => {
    const accountIds = [kofi.wallets!.find(({ currency }) => currency === "KES")!.accountId];
    const { accounts } = await insistOnRpc(() => operator.ledger.getAccounts({ accountIds }, call()));
    return accounts[0]!.creditsPostedMinor - accounts[0]!.debitsPostedMinor;
  };
  const setStatus = (status: "CUSTOMER_STATUS_BLOCKED" | "CUSTOMER_STATUS_CONFIRMED") =>
    insistOnRpc(() =>
      operator.compliance.setCustomerStatus({ customerId: kofi.customerId!, status, reason: "test" }, call()),
    );

  /** The same approval however often it is given. */
  const approve = (approvalId: string) => insist(() => approveShown(edge.approver, approvalId, { reason: "checked" }));

  const jobs: Record<Job, (point: string) => Promise<void>> = {
    async refund(point) {
      const before = await balance();
      const { id, paymentId } = await paid();
      await until(id, "COMPLETED");
      arm(point);
      const headers = { "x-idempotency-key": randomUUID() };
      const body = { amount: "5.00", reason: "arrived late" };
      const ask = () => edge.asker.send("POST", `${desk}/transactions/${id}/refunds`, { headers, body });
      const requested = await insist(ask);
      expect([requested.status, requested.body.data.refund.amount]).toEqual([202, "5.00"]);
      expect((await insist(ask)).body.data.refund.id).toBe(requested.body.data.refund.id);
      await approve(requested.body.data.refund.approvalId);
      await wasKilled();
      await until(id, "PARTIALLY_REFUNDED");
      expect(await balance()).toBe(before - totalMinor + refundMinor);
      const { refunds } = (await insist(() => edge.asker.readTransaction(id))).body.data;
      expect(refunds).toHaveLength(1);
      const payment = () => edge.amina.send("GET", `${services}/paymentmanagement/payments/${paymentId}`);
      await waitFor(async () => (await insist(payment)).body?.data?.status === "PARTIALLY_REFUNDED", {
        ...patience,
        what: "the payment to show its refund",
      });
    },

    async pickup(point) {
      const before = await balance();
      if (point.endsWith(".held")) arm(point);
      const creditParty = [
        { key: "payoutpointid", value: "CASH-1" },
        { key: "recipientname", value: "Ngozi Okafor" },
      ];
      const { id, transactionCode } = await paid({ type: "CASH_PICKUP", creditParty });
      await until(id, "READY_FOR_PICKUP");
      if (point.endsWith(".held")) await wasKilled();
      const issued = await insist(() =>
        edge.amina.send("POST", `${desk}/transactions/${id}/pickup-code`, { body: {} }),
      );
      const { pickupCode } = issued.body.data as { pickupCode: string };
      if (!point.endsWith(".held")) arm(point);
      const expectedInTill = async (): Promise<bigint> => {
        const listed = await insist(() => edge.cashier.send("GET", `${services}/paymentmanagement/tills?open=true`));
        const { tills } = listed.body.data as { tills: { currency: string; expected: string }[] };
        return cents(tills.find(({ currency }) => currency === "NGN")!.expected);
      };
      const inTill = await expectedInTill();
      const handOut = (key: string) =>
        insist(() =>
          edge.cashier.send("POST", `${desk}/cash-pickups`, {
            headers: { "x-idempotency-key": key },
            body: { transactionCode, pickupCode },
          }),
        );
      const key = randomUUID();
      // Where wallet's recovery came first, the hand-out is free to be asked for again.
      const handedOut = await waitFor(
        async () => {
          const answer = await handOut(key);
          return answer.status === 409 ? undefined : answer;
        },
        { ...patience, what: "the cash to be handed out" },
      );
      expect([handedOut.status, handedOut.body.data?.status]).toEqual([200, "COMPLETED"]);
      await wasKilled();
      expect((await handOut(key)).text).toBe(handedOut.text);
      expect((await handOut(randomUUID())).status).toBe(409);
      expect(await expectedInTill()).toBe(inTill - cents(handedOut.body.data.amount));
      // Booked once, under the key by which the principal leaves clearing.
      await waitFor(
        () =>
          operator.ledger.getTransfer({ key: `clearing:${id}` }, call()).then(
            ({ transfer }) => transfer !== undefined,
            (error: unknown) => {
              if (error instanceof Refusal && error.code === "TRANSFER_NOT_FOUND") return undefined;
              throw error;
            },
          ),
        { ...patience, what: "the ledger to have it" },
      );
      expect(await statusOf(id)).toBe("COMPLETED");
      expect(await balance()).toBe(before - totalMinor);
    },

    async delivery(point) {
      const [before, received] = [await balance(), await receivedMinor()];
      arm(point);
      const { id } = await paidToWallet();
      await wasKilled();
      await until(id, "COMPLETED");
      expect((await receivedMinor()) - received).toBe(deliveredMinor);
      expect(await balance()).toBeLessThan(before);
    },

    async recall(point) {
      const [before, received] = [await balance(), await receivedMinor()];
      await setStatus("CUSTOMER_STATUS_BLOCKED");
      const { id } = await paidToWallet();
      await until(id, "PROCESSING");
      arm(point);
      expect((await insist(() => edge.amina.cancel(id))).status).toBe(200);
      await wasKilled();
      await until(id, "REFUNDED");
      await setStatus("CUSTOMER_STATUS_CONFIRMED");
      expect([await balance(), await receivedMinor()]).toEqual([before, received]);
    },

    async reversal(point) {
      const [before, received] = [await balance(), await receivedMinor()];
      const { id } = await paidToWallet();
      await until(id, "COMPLETED");
      arm(point);
      const headers = { "x-idempotency-key": randomUUID() };
      const body = { fromRecipient: true, reason: "sent to the wrong one" };
      const ask = () => edge.asker.send("POST", `${desk}/transactions/${id}/refunds`, { headers, body });
      const { status, body: requested } = await insist(ask);
      expect([status, requested.data.refund.fromRecipient]).toEqual([202, true]);
      await approve(requested.data.refund.approvalId);
      await wasKilled();
      await until(id, "REFUNDED");
      expect([await balance(), await receivedMinor()]).toEqual([before, received]);
    },

    async amendment(point) {
      const order = { sendAmount: "20.00", sendCurrency: "USD", originCountry: "USA", to: "NGA", body: {} };
      const { id, recipient } = (
        await insist(() => edge.amina.createTransaction(amina, order, { "x-idempotency-key": randomUUID() }))
      ).body.data as { id: string; recipient: { name: string } };
      const [firstName, lastName] = ["Ngozi", `Adeyemi ${"abcdefgh"[names++ % 8]}`];
      arm(point);
      const headers = { "x-idempotency-key": randomUUID() };
      const body = { recipient: { firstName, lastName }, reason: "she has married" };
      const ask = () => edge.asker.send("POST", `${desk}/transactions/${id}/amendments`, { headers, body });
      const requested = await insist(ask);
      expect([requested.status, requested.body.data.amendment.before.recipientName]).toEqual([202, recipient.name]);
      expect((await insist(ask)).body.data.amendment.amendmentId).toBe(requested.body.data.amendment.amendmentId);
      await approve(requested.body.data.amendment.approvalId);
      await wasKilled();
      const nameOf = async () => (await insist(() => edge.asker.readTransaction(id))).body?.data?.recipient?.name;
      await waitFor(async () => (await nameOf()) === `${firstName} ${lastName}`, {
        ...patience,
        what: "the other name",
      });
      const listed = await insist(() => edge.asker.send("GET", `${desk}/transactions/${id}/amendments`));
      expect(listed.body.data.map(({ status }: { status: string }) => status)).toEqual(["APPLIED"]);
    },

    async trace(point) {
      const { id } = await paid({}, "NGA", { of: "PAYOUT", behaviour: "STALL" });
      await until(id, "PROCESSING");
      const [firstName, lastName] = ["Ngozi", `Bello ${"abcdefgh"[names++ % 8]}`];
      arm(point);
      const headers = { "x-idempotency-key": randomUUID() };
      const body = { recipient: { firstName, lastName }, reason: "she has married" };
      const ask = () => edge.asker.send("POST", `${desk}/transactions/${id}/traces`, { headers, body });
      const { traceId, approvalId } = (await insist(ask)).body.data.trace;
      expect((await insist(ask)).body.data.trace.traceId).toBe(traceId);
      await approve(approvalId);
      await wasKilled();
      const told = () => edge.asker.send("GET", `${desk}/transactions/${id}/transparency`);
      const { traces, recordedBeneficiary } = await waitFor(
        async () => {
          const { data } = (await insist(told)).body;
          return data?.traces?.[0]?.status === "DONE" ? data : undefined;
        },
        { ...patience, what: "the partner to have the other name" },
      );
      expect(traces).toMatchObject([{ traceId, status: "DONE" }]);
      expect(recordedBeneficiary.name).toBe(`${firstName} ${lastName}`);
    },

    async corridor(point) {
      const held = await corridorToNigeria();
      const path = `${desk}/corridors`;
      const listed = (await insist(() => edge.asker.send("GET", path))).body.data as Record<string, unknown>[];
      const shown = listed.find((one) => one["sendCurrency"] === "USD" && one["receivingCountry"] === "NGA")!;
      arm(point);
      const put = () => edge.asker.send("PUT", path, { body: { ...shown, maximumAmount: "9000.00" } });
      const requested = await insist(put);
      await wasKilled();
      expect([requested.status, requested.body.data.version]).toEqual([202, held.version]);
      const { approvalId } = requested.body.data.approval;
      expect((await insist(put)).body.data.approval.approvalId).toBe(approvalId);
      await approve(approvalId);
      await waitFor(async () => (await corridorToNigeria()).maximumMinor === 9_000_00n, patience);
      expect((await corridorToNigeria()).version).toBe(held.version + 1);
    },
  };

  test("each job has points", () => {
    expect(new Set(points.map(({ job }) => job)).size).toBe(8);
  });

  test.each(points)("at $name ends once, with one answer", ({ name, job }) => jobs[job](name));
});
