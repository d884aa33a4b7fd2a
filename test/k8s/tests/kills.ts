import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { probe } from "../probe.js";
import { imageRef, prefixOf, processes } from "../release.js";
import { check } from "../runner.js";
import type { Suite, TestOf } from "../suite.js";
import type { Session } from "../world.js";

const paymentsEach = 12;
const patienceMs = 120_000;

export function killTests(suite: Suite): TestOf[] {
  const { release } = suite;
  const { namespace } = release;
  return [
    ...processes.map((process) => ({
      name: `a pod of ${process} is killed during payments: every payment ends once`,
      async run() {
        const [sender, receiver] = [await suite.logIn("amina"), await suite.logIn("kofi")];
        const before = {
          sent: await sender.balanceOf("USD"),
          given: await sender.balanceOf("KES"),
          got: await receiver.balanceOf("KES"),
        };
        const payments = Promise.all([
          ...Array.from({ length: paymentsEach }, (_, index) => payTransaction(sender, index * 150)),
          ...Array.from({ length: paymentsEach }, (_, index) => payWallet(sender, receiver, index * 150)),
        ]);
        await sleep(700);
        const victim = (await namespace.podsOf(process)).find(({ ready }) => ready);
        check(victim !== undefined, `no pod of ${process} is ready`);
        await namespace.run(["delete", "pod", victim.name, "--grace-period=0", "--force", "--wait=false"]);
        const ended = await payments;
        await release.ready();
        const paid = ended.slice(0, paymentsEach).reduce((sum, cents) => sum + cents, 0n);
        const given = ended.slice(paymentsEach).reduce((sum, cents) => sum + cents, 0n);
        check(
          before.sent - (await sender.balanceOf("USD")) === paid,
          "the transactions' totals and the balance differ",
        );
        check(before.given - (await sender.balanceOf("KES")) === given, "what was given and the balance differ");
        check((await receiver.balanceOf("KES")) - before.got === given, "what was received and the balance differ");
        return `${ended.length} payments`;
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

/** Asks until it is answered, as a client does that does not know what became of its request. Returns cents. */
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

async function insist(session: Session, request: () => Parameters<Session["send"]>[0]) {
  const giveUpAt = Date.now() + patienceMs;
  let last = "";
  while (Date.now() < giveUpAt) {
    try {
      const answer = await session.send(request());
      if (answer.status === 200) return answer;
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
      import { loadServiceKeys, createServiceTokenSigner } from "/app/dist/services/shared/tokens/service-tokens.js";
      import { createClient, outgoing } from "/app/dist/services/shared/grpc/client.js";
      import { LedgerServiceDefinition } from "/app/dist/proto/gen/ledger/v1/ledger.js";
      await new Promise((resolve) => setTimeout(resolve, 8000));
      const keys = await loadServiceKeys({ keyFile: "/keys/wallet.key", jwksFile: "/keys/services.crt", tls: { dir: "/tls", trustDomain: "${prefix}.${release.name}.internal" } });
      const signer = createServiceTokenSigner({ service: "wallet", privateJwk: keys.privateJwk, tls: keys.tls });
      const client = createClient(LedgerServiceDefinition, { address: "${address}", audience: "ledger", signer });
      const { lines } = await client.getTrialBalance({}, outgoing({ tenantId: "demo", interactionId: "probe" }));
      const sums = {};
      for (const { currency, debitsMinor, creditsMinor } of lines) {
        sums[currency] ??= { currency, debits: 0n, credits: 0n };
        sums[currency].debits += debitsMinor; sums[currency].credits += creditsMinor;
      }
      console.log("RESULT " + JSON.stringify(Object.values(sums), (_, value) => typeof value === "bigint" ? String(value) : value));
      process.exit(0);`,
  });
}
