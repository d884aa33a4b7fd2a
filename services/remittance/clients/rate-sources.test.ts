import type { MadeCall } from "../../platform/partners/sender.js";
import { createInstallations } from "../../platform/plugins/installations.js";
import type { PluginKind } from "../../platform/plugins/kinds.js";
import { createOpenPartners } from "../../platform/plugins/open-partners.js";
import { createRateSources } from "./rate-sources.js";

test("a source that lacks its secret is not asked, and nothing is noted of it", async () => {
  const requested: string[] = [];
  const called = {
    exchange: {
      to: () => (url: URL) => {
        requested.push(url.href);
        return Promise.reject(new Error("away"));
      },
      close: () => undefined,
    },
    allowedOf: () => [],
    notes: { note: (_tenantId: string, _id: string, { operation }: MadeCall) => void requested.push(operation) },
  };
  const identity = { resolvePlugins: async () => ({ plugins: [] }) };
  const installationsOf = (...kinds: PluginKind[]) => createInstallations({ identity, kinds });
  const sources = createRateSources({ ...called, openPartners: createOpenPartners({ ...called, installationsOf }) });
  const installation = {
    installationId: "p1",
    type: "fx-http",
    status: "ENABLED",
    configuration: { url: "https://rates.example/", everyMinutes: 60 },
    secrets: {},
    missingSecrets: ["apiKey"],
    name: "Ours",
    routes: [],
    revision: 1,
  };
  const read = (missingSecrets: string[]) =>
    sources.read({ tenantId: "t", installation: { ...installation, missingSecrets }, now: new Date(), aheadMs: 0 });
  const waits = { code: "UNAVAILABLE", message: "plugin p1 is not called without its secret apiKey" };
  await expect(read(["apiKey"])).rejects.toMatchObject(waits);
  expect(requested).toEqual([]);
  await expect(read([])).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(requested).toEqual(["https://rates.example/", "rates"]);
});
