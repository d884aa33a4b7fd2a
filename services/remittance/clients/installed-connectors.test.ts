import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { waitFor } from "../../../test/support/index.js";
import { mostCallsAtPartner, PartnerBusy } from "../../kernel/batching/bound.js";
import type { BreakerOptions } from "../../platform/partners/breakers.js";
import { createPinnedExchange } from "../../platform/partners/exchange.js";
import { createInstallations } from "../../platform/plugins/installations.js";
import { createOpenPartners } from "../../platform/plugins/open-partners.js";
import type { Transaction } from "../domain/transaction.js";
import { createInstalledConnectors } from "./installed-connectors.js";
import { createPayoutPartners } from "./payout-partners.js";
import { noFileBanks, noParties } from "../../../test/support/stand-in-plugins.js";

const held: ServerResponse[] = [];
const partner = createServer((request, response) => {
  if (request.url!.startsWith("/away")) return whileAway(request.url!, response);
  if (request.url!.startsWith("/hangs")) held.push(response);
  else response.writeHead(404, { "content-type": "application/json" }).end("{}");
});
let isBack = false;
const received: string[] = [];
/** Cuts what it is asked, until it is back. */
function whileAway(url: string, response: ServerResponse): void {
  received.push(url);
  if (!isBack) return void response.destroy();
  const opensAt = new Date().toISOString();
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ opensAt }));
}
const exchange = createPinnedExchange({ resolve: async () => [] });
beforeAll(() => new Promise<void>((listening) => partner.listen(0, "127.0.0.1", listening)));
afterAll(async () => {
  exchange.close();
  await new Promise((closed) => partner.close(closed));
});

/** Two tenants: the partner of one hangs, the other's answers. */
function opened({ hasDefault = false, breaker }: { hasDefault?: boolean; breaker?: BreakerOptions } = {}) {
  const requested: string[] = [];
  const identity = {
    resolvePlugins: async (_request: object, { tenantId }: { tenantId: string }) => {
      requested.push(tenantId);
      const { port } = partner.address() as AddressInfo;
      const route = { originCountry: "", sendCurrency: "", receivingCountry: "", receivingCurrency: "", method: "" };
      return {
        plugins: [
          {
            installationId: `of-${tenantId}`,
            name: "Ours",
            type: "manilla-http",
            kind: "PAYOUT",
            status: "ENABLED",
            configurationJson: JSON.stringify({ url: `http://127.0.0.1:${port}/${tenantId}`, timeoutMs: 30_000 }),
            secrets: { apiKey: "the-key-that-they-gave-us" },
            missingSecrets: [],
            routes: [{ ...route, priority: 1 }],
            revision: 1n,
          },
        ],
      };
    },
  };
  // Longer than a second, so that a slow machine asks no second time.
  const openPartners = createOpenPartners({
    installationsOf: (...kinds) => createInstallations({ identity, kinds, keepForMs: 60_000 }),
    exchange,
    allowedOf: () => ["http://127.0.0.1:*"],
    notes: { note: () => undefined },
    ...(breaker !== undefined && { breaker }),
  });
  const installed = createInstalledConnectors({ openPartners, fileBanks: noFileBanks });
  const partners = createPayoutPartners({ installed, hasDefault: () => hasDefault, partiesOf: noParties });
  return { requested, installed, partners };
}

const transaction = {
  interactionId: "i",
  deliveryMethod: "ACCOUNTPAYMENT",
  transferInformation: { originCountry: "USA", receivingCountry: "NGA" },
  price: { total: { minor: 1n, currency: "USD" }, receive: { minor: 1n, currency: "NGN" } },
  payout: { interactionId: "i" },
} as unknown as Transaction;

/** Whose installation takes it; undefined for the operator's default. */
const takerOf = async (partners: ReturnType<typeof opened>["partners"], tenantId: string) =>
  (await partners.takerOf(tenantId, transaction))?.installationId;

test("where payouts go is asked of identity once, however many there are while the answer is kept", async () => {
  const { requested, partners, installed } = opened();
  for (let each = 0; each < 1_000; each += 1) {
    expect(await takerOf(partners, "answers")).toBe("of-answers");
    await installed.of("answers", "of-answers");
  }
  expect(requested).toEqual(["answers"]);
});

test("a partner that hangs has 8 calls at most; all of another tenant's are answered meanwhile", async () => {
  const { installed, partners } = opened();
  const many = Array.from({ length: 40 }, (_each, at) => `reference-${at}`);
  const find = async (tenantId: string, reference: string) =>
    (await installed.of(tenantId, `of-${tenantId}`)).connector.find(reference, { tenantId });
  const answers = Promise.allSettled(many.map((reference) => find("hangs", reference)));
  await waitFor(() => held.length === mostCallsAtPartner);
  await expect(partners.takerOf("hangs", transaction)).rejects.toBeInstanceOf(PartnerBusy);
  for (const reference of many) expect(await find("answers", reference)).toBeUndefined();
  expect(held).toHaveLength(mostCallsAtPartner);

  for (const response of held) response.writeHead(404, { "content-type": "application/json" }).end("{}");
  const refused = (await answers).flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
  expect(refused).toHaveLength(many.length - mostCallsAtPartner);
  for (const reason of refused) expect(reason).toBeInstanceOf(PartnerBusy);
  expect(await takerOf(partners, "hangs")).toBe("of-hangs");
});

test("a partner that was away takes nothing new until it has answered a question that pays nothing", async () => {
  // Its breaker lets the next call through at once.
  const { installed, partners } = opened({ hasDefault: true, breaker: { failures: 1, openForMs: 0 } });
  const find = async () => (await installed.of("away", "of-away")).connector.find("r", { tenantId: "away" });
  expect(await takerOf(partners, "away")).toBe("of-away");
  await expect(find()).rejects.toMatchObject({ code: "UNAVAILABLE" });
  for (let probes = 1; probes <= 3; probes += 1) {
    expect(await takerOf(partners, "away")).toBeUndefined();
    await waitFor(() => received.length > probes);
  }
  isBack = true;
  await waitFor(async () => (await takerOf(partners, "away")) === "of-away");
  const [first, ...probes] = received;
  expect(first).toBe("/away/v1/payouts/r");
  expect(new Set(probes)).toEqual(new Set(["/away/v1/window"]));
});
