import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "../cluster.js";
import { probe } from "../probe.js";
import { imageRef, prefixOf, processes } from "../release.js";
import { check } from "../runner.js";
import type { Suite, TestOf } from "../suite.js";
import type { Session } from "../world.js";

const paymentsEach = 10;
const investmentsEach = 6;
const loansEach = 2;
const patienceMs = 120_000;
const unitsEach = 1;

export function killTests(suite: Suite): TestOf[] {
  const { release } = suite;
  const { namespace } = release;
  return [
    ...processes.map((process) => ({
      name: `a pod of ${process} is killed during payments, purchases and loans: each ends once`,
      async run() {
        const [sender, receiver] = [await suite.logIn("amina"), await suite.logIn("kofi")];
        const managers = [await suite.logIn("manager@"), await suite.logIn("manager2@")] as const;
        const before = {
          sent: await sender.balanceOf("USD"),
          given: await sender.balanceOf("KES"),
          got: await receiver.balanceOf("KES"),
        };
        const many = (count: number, work: (afterMs: number) => Promise<bigint>): Promise<bigint> =>
          Promise.all(Array.from({ length: count }, (_, index) => work(index * 150))).then((all) =>
            all.reduce((sum, cents) => sum + cents, 0n),
          );
        const work = Promise.all([
          many(paymentsEach, (afterMs) => payTransaction(sender, afterMs)),
          many(investmentsEach, (afterMs) => invest(sender, afterMs)),
          many(loansEach, (afterMs) => borrowAndPayOff(sender, managers, afterMs)),
          many(paymentsEach, (afterMs) => payWallet(sender, receiver, afterMs)),
        ]);
        await sleep(700);
        const victim = (await namespace.podsOf(process)).find(({ ready }) => ready);
        check(victim !== undefined, `no pod of ${process} is ready`);
        await namespace.run(["delete", "pod", victim.name, "--grace-period=0", "--force", "--wait=false"]);
        const [paid, invested, repaid, given] = await work;
        await release.ready();
        const gone = before.sent - (await sender.balanceOf("USD"));
        check(
          gone === paid + invested + repaid,
          `${gone} cents are gone, ${paid} for transactions, ${invested} for investments and ${repaid} for loans`,
        );
        check(before.given - (await sender.balanceOf("KES")) === given, "what was given and the balance differ");
        check((await receiver.balanceOf("KES")) - before.got === given, "what was received and the balance differ");
        return `${2 * paymentsEach} payments, ${investmentsEach} purchases, ${loansEach} loans`;
      },
    })),
    {
      name: "the ledger's debits and credits are equal in every currency afterwards",
      async run() {
        const found = await trialBalance(suite);
        check(found.length > 0, "the trial balance is empty");
        for (const { currency, debits, credits } of found)
          check(debits === credits, `${currency}: ${debits} ≠ ${credits}`);
        return found.map(({ currency, debits }) => `${debits} ${currency}`).join(", ");
      },
    },
  ];
}

/** Buys units. Returns cents. */
async function invest(sender: Session, afterMs: number): Promise<bigint> {
  await sleep(afterMs);
  const key = randomUUID();
  const bought = await insist(sender, () => sender.requests.invest(unitsEach, key));
  check(bought.body.data.status === "COMPLETED", `the purchase is ${bought.text}`);
  return centsOf(bought.body.data.totalAmount);
}

/**
 * A loan into the wallet, which two managers let go, and its payoff from there. Returns the cents
 * that it cost.
 */
async function borrowAndPayOff(
  customer: Session,
  [asking, approving]: readonly [Session, Session],
  afterMs: number,
): Promise<bigint> {
  await sleep(afterMs);
  const key = () => randomUUID();
  const [applying, accepting, disbursing, deciding, payingOff] = [key(), key(), key(), key(), key()];
  const applied = await insist(customer, () => customer.requests.applyForLoan("100.00", applying));
  const id = String(applied.body.data.loanApplicationId);
  await insist(customer, () => customer.requests.acceptLoan(id, accepting));
  const requested = await insist(asking, () => asking.requests.disburse(id, disbursing), [200, 202]);
  const approvalId = String(requested.body.data.approvalId);
  // What it does is not told while lending is away.
  const digest = await until("what the approval does", patienceMs, async () => {
    const { body } = await approving.send(approving.requests.approval(approvalId));
    return typeof body?.data?.digest === "string" ? body.data.digest : undefined;
  });
  await insist(approving, () => approving.requests.approve(approvalId, digest, deciding));
  await until("the loan begins", patienceMs, async () => {
    const { body } = await customer.send(customer.requests.loan(id));
    return body?.data?.status === "ACTIVE" ? true : undefined;
  });
  const paid = await insist(customer, () => customer.requests.payOff(id, payingOff));
  check(paid.body.data.loanStatus === "PAID_OFF", `the payoff is ${paid.text}`);
  // The product takes 1 % when the money goes out.
  return centsOf(paid.body.data.payoffAmount) - 99_00n;
}

function centsOf(amount: number | string): bigint {
  return BigInt(Math.round(Number(amount) * 100));
}

/**
 * Asks until it is answered, as a client does that does not know what became of its request.
 * Returns cents.
 */
async function payTransaction(sender: Session, afterMs: number): Promise<bigint> {
  await sleep(afterMs);
  const key = randomUUID();
  const created = await insist(sender, () => sender.requests.create("1.00", key));
  const { id, totalAmount } = created.body.data as { id: string; totalAmount: string };
  const reference = randomUUID();
  await insist(sender, () =>
    sender.requests.pay({ type: "TRANSACTION", to: id, currency: "USD", total: totalAmount, reference }),
  );
  return BigInt(totalAmount.replace(".", ""));
}

async function payWallet(sender: Session, receiver: Session, afterMs: number): Promise<bigint> {
  await sleep(afterMs);
  const reference = randomUUID();
  const to = receiver.wallet("KES");
  await insist(sender, () =>
    sender.requests.pay({ type: "WALLET_CUSTOMER", to, currency: "KES", total: "1.00", reference }),
  );
  return 100n;
}

async function insist(session: Session, request: () => Parameters<Session["send"]>[0], wanted = [200]) {
  const giveUpAt = Date.now() + patienceMs;
  let last = "";
  while (Date.now() < giveUpAt) {
    try {
      const answer = await session.send(request());
      if (wanted.includes(answer.status)) return answer;
      last = `${answer.status} ${answer.text}`;
      // Away, too slow, or still at work on the same request: all of them are asked again.
      if (![409, 429, 500, 502, 503, 504].includes(answer.status)) break;
    } catch (error) {
      last = (error as Error).message;
    }
    await sleep(500);
  }
  throw new Error(`it did not end well: ${last}`);
}

export interface CurrencyTotals {
  currency: string;
  debits: string;
  credits: string;
}

/** Sums of the demo tenant's trial balance, in minor units. */
export async function trialBalance(suite: Suite, release = suite.release): Promise<CurrencyTotals[]> {
  const prefix = prefixOf(release.name);
  const address = `${prefix}-ledger.${release.name}.svc.cluster.local:9090`;
  return probe<CurrencyTotals[]>(release.namespace, {
    name: "trial-balance",
    image: imageRef(suite.tag),
    labels: {
      "app.kubernetes.io/name": "manilla",
      "app.kubernetes.io/instance": release.name,
      "app.kubernetes.io/component": "wallet",
    },
    secrets: { "/keys": `${prefix}-keys`, "/tls": `${prefix}-wallet-tls` },
    script: `
      import { loadServiceKeys, createServiceTokenSigner } from "/app/dist/services/kernel/tokens/service-tokens.js";
      import { createClient, outgoing } from "/app/dist/services/kernel/grpc/client.js";
      import { LedgerServiceDefinition } from "/app/dist/proto/gen/ledger/v1/ledger.js";
      await new Promise((resolve) => setTimeout(resolve, 8000));
      const keys = await loadServiceKeys({ keyFile: "/keys/wallet.key", jwksFile: "/keys/services.crt", tls: { dir: "/tls", trustDomain: "${prefix}.${release.name}.internal" } });
      const signer = createServiceTokenSigner({ service: "wallet", privateJwk: keys.privateJwk, tls: keys.tls });
      const client = createClient(LedgerServiceDefinition, { address: "${address}", audience: "ledger", signer });
      const { lines } = await client.getTrialBalance({}, outgoing({ tenantId: "demo", interactionId: "probe" }));
      const sums = {};
      for (const { currency, debitsMinor, creditsMinor } of lines) {
        sums[currency] ??= { currency, debits: 0n, credits: 0n };
        sums[currency].debits += BigInt(debitsMinor); sums[currency].credits += BigInt(creditsMinor);
      }
      console.log("RESULT " + JSON.stringify(Object.values(sums), (_, value) => typeof value === "bigint" ? String(value) : value));
      process.exit(0);`,
  });
}
