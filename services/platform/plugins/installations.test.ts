import fc from "fast-check";
import type { ResolvedPlugin } from "../../../proto/gen/identity/v1/plugins.js";
import { Refusal } from "../../kernel/refusal.js";
import { sandboxIdOf } from "../sandbox/sandbox.js";
import { createInstallations } from "./installations.js";

const plugin = (installationId: string, part: Partial<ResolvedPlugin> = {}): ResolvedPlugin => ({
  installationId,
  type: "manilla-http",
  kind: "PAYOUT",
  status: "ENABLED",
  configurationJson: '{"url":"https://payouts.example","timeoutMs":900}',
  secrets: { apiKey: "the-key-that-they-gave-us" },
  name: "Ours",
  missingSecrets: [],
  routes: [],
  revision: 3n,
  ...part,
});
const call = (tenantId: string) => ({ tenantId, interactionId: "i" });

function identityOf(answer: (tenantId: string) => ResolvedPlugin[] | Promise<ResolvedPlugin[]>) {
  const requested: string[] = [];
  const identity = {
    resolvePlugins: async (_request: object, { tenantId }: { tenantId: string }) => {
      requested.push(tenantId);
      return { plugins: await answer(tenantId) };
    },
  };
  return { identity, requested };
}

test("gives configurations as objects, and asks once for all who come within the time", async () => {
  const { identity, requested } = identityOf(() => [plugin("a")]);
  const installations = createInstallations({ identity, kinds: ["PAYOUT"], keepForMs: 60_000 });
  const [one, other] = await Promise.all([installations.of(call("t")), installations.of(call("t"))]);
  expect(one).toBe(other);
  expect(one).toMatchObject([{ installationId: "a", configuration: { timeoutMs: 900 }, revision: 3 }]);
  await installations.of(call("t"));
  expect(requested).toEqual(["t"]);
  // The same objects, so that whoever has opened one by its revision finds it by its id.
  expect(await installations.of(call("t"))).toBe(one);
});

test("asks again once the time is over, and after a refusal", async () => {
  let fails = true;
  const { identity, requested } = identityOf(() => {
    if (fails) throw new Refusal("UNAVAILABLE", "away");
    return [];
  });
  const installations = createInstallations({ identity, kinds: ["PAYOUT"], keepForMs: 0 });
  await expect(installations.of(call("t"))).rejects.toMatchObject({ code: "UNAVAILABLE" });
  fails = false;
  expect(await installations.of(call("t"))).toEqual([]);
  expect(await installations.of(call("t"))).toEqual([]);
  expect(requested).toHaveLength(3);
});

test("a tenant gets its own alone: a sandbox never a live one's, a live one never a sandbox's", async () => {
  const tenants = fc.constantFrom("acme", "beta", sandboxIdOf("acme"), sandboxIdOf("beta"));
  await fc.assert(
    fc.asyncProperty(fc.array(tenants, { maxLength: 30 }), async (asking) => {
      const { identity } = identityOf((tenantId) => [plugin(`of ${tenantId}`)]);
      const installations = createInstallations({ identity, kinds: ["PAYOUT"] });
      const got = await Promise.all(asking.map((tenantId) => installations.of(call(tenantId))));
      expect(got.map(([one]) => one?.installationId)).toEqual(asking.map((tenantId) => `of ${tenantId}`));
    }),
  );
});
