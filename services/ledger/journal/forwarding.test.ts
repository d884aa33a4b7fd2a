import { randomUUID } from "node:crypto";
import { LedgerServiceDefinition, type PostForwardedTransfersRequest } from "../../../proto/gen/ledger/v1/ledger.js";
import { createServiceNetwork, type ServiceNetwork } from "../../../test/support/service-network.js";
import type { ServiceName } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { Refusal } from "../../kernel/refusal.js";
import { createServiceTokenSigner } from "../../kernel/tokens/service-tokens.js";
import { createForwarding } from "./forwarding.js";
import type { NewTransfer } from "../domain/model.js";

let network: ServiceNetwork;
let address: string;
const alone: PostForwardedTransfersRequest[] = [];
const gathered: (readonly PostForwardedTransfersRequest[])[] = [];
const sent: [key: string, interactionId: string][] = [];
let forwarding: ReturnType<typeof createForwarding>;

beforeAll(async () => {
  network = await createServiceNetwork();
  const handlers: Partial<Handlers<LedgerServiceDefinition>> = {
    async postForwardedTransfers(requested, call) {
      const key = keyOf(requested.request!);
      if (!gathered.some((batch) => batch.includes(requested))) alone.push(requested);
      sent.push([key, call.interactionId]);
      if (key === "lost") throw new Refusal("LEASE_LOST", "not mine any more");
      return { results: [posted(key)] };
    },
  };
  const noteBatch = (_rpc: string, requests: readonly object[]) =>
    void gathered.push(requests as readonly PostForwardedTransfersRequest[]);
  address = await network.standIn("ledger", LedgerServiceDefinition, handlers, [], noteBatch);
  const { privateJwk } = network.keysOf("ledger");
  forwarding = createForwarding(createServiceTokenSigner({ service: "ledger", privateJwk }), 5_000);
});
afterAll(async () => {
  forwarding.close();
  await network.close();
});
beforeEach(() => {
  alone.length = 0;
  gathered.length = 0;
  sent.length = 0;
});

const posted = (key: string) => ({ posted: { transfers: [{ key }], replayed: false } });
const keyOf = ({ groups }: { groups: { transfers: { key: string }[] }[] }) => groups[0]!.transfers[0]!.key;

function forward(key: string, service: ServiceName, tenantId = "t1") {
  const transfer: NewTransfer = {
    key,
    mode: "POSTED",
    debitAccountId: "a",
    creditAccountId: "b",
    amount: { minor: 1n, currency: "USD" },
    kind: "test",
    refersTo: "",
    description: "",
    metadata: [],
  };
  const group = { transfers: [transfer], createdBy: "u", interactionId: `i-${key}`, service };
  const call = { tenantId, interactionId: `i-${key}` };
  return forwarding.forward(address, { groups: [group], createdBy: "u", service }, call);
}

test("a lone posting is forwarded at once, with who asked", async () => {
  const key = randomUUID();
  expect(await forward(key, "wallet")).toMatchObject([posted(key)]);
  expect(alone.map(({ onBehalfOf }) => onBehalfOf)).toEqual(["wallet"]);
  expect(gathered).toEqual([]);
});

test("200 postings at once are forwarded in a few calls; each has its own answer and interaction id", async () => {
  const keys = Array.from({ length: 200 }, (_, n) => `k${n}`);
  const results = await Promise.all(keys.map((key) => forward(key, "wallet")));
  expect(results.map(([first]) => first?.posted?.transfers?.[0]?.key)).toEqual(keys);
  expect(alone.length + gathered.length).toBeLessThan(10);
  expect(sent.map(([, interactionId]) => interactionId)).toEqual(sent.map(([key]) => `i-${key}`));
});

test("postings of two tenants never share a call, and each says which service asked", async () => {
  const keys = Array.from({ length: 60 }, (_, n) => `k${n}`);
  await Promise.all(
    keys.map((key, n) => forward(key, n % 2 === 0 ? "wallet" : "remittance", n % 3 === 0 ? "t2" : "t1")),
  );
  const numberOf = ({ request }: PostForwardedTransfersRequest) => Number(keyOf(request!).slice(1));
  expect(gathered.length).toBeGreaterThan(0);
  for (const postings of gathered) {
    expect(new Set(postings.map((one) => numberOf(one) % 3 === 0)).size).toBe(1);
    for (const one of postings) expect(one.onBehalfOf).toBe(numberOf(one) % 2 === 0 ? "wallet" : "remittance");
  }
});

test("a refusal among them is its own caller's alone", async () => {
  const others = Array.from({ length: 20 }, (_, n) => `k${n}`);
  const all = [...others.slice(0, 10), "lost", ...others.slice(10)];
  const outcomes = await Promise.allSettled(all.map((key) => forward(key, "wallet")));
  const refused = outcomes.flatMap((one, n) => (one.status === "rejected" ? [[all[n], one.reason.code]] : []));
  expect(refused).toEqual([["lost", "LEASE_LOST"]]);
});
