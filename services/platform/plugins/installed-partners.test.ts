import type { PinnedExchange } from "../partners/exchange.js";
import { httpAccessOf } from "./http-access.js";
import { createInstalledPartners } from "./installed-partners.js";
import type { Installation } from "./installations.js";

const plugin = (part: Partial<Installation> = {}): Installation => ({
  installationId: "p1",
  type: "manilla-http",
  status: "PAUSED",
  configuration: { url: "https://payouts.example" },
  secrets: { apiKey: "the-key-that-they-gave-us" },
  name: "Ours",
  missingSecrets: [],
  routes: [],
  revision: 1,
  ...part,
});
const exchange: Pick<PinnedExchange, "to"> = { to: () => () => Promise.reject(new Error("nobody is called here")) };
const waits = (secrets: string) => ({
  code: "UNAVAILABLE",
  message: `plugin p1 is not called without its secret ${secrets}`,
});

function openedPartners() {
  const keys: string[] = [];
  const partners = createInstalledPartners({
    installations: { of: async () => [] },
    exchange,
    allowedOf: () => [],
    notes: { note: () => undefined },
    connect: ({ options }) => void keys.push(options.accessOf("t")?.apiKey ?? ""),
  });
  const open = (part?: Partial<Installation>) => () => partners.openedOf("t", plugin(part));
  return { keys, open };
}

test("a partner that lacks a secret is not opened, and is once it is given", () => {
  const { keys, open } = openedPartners();
  expect(open({ secrets: {}, missingSecrets: ["apiKey"] })).toThrow(expect.objectContaining(waits("apiKey")));
  expect(open({ missingSecrets: ["callbackSecret", "pin"] })).toThrow(
    expect.objectContaining(waits("callbackSecret, pin")),
  );
  expect(keys).toEqual([]);
  open({ revision: 2 })();
  expect(keys).toEqual(["the-key-that-they-gave-us"]);
  // Also one that was open as it is.
  expect(open({ revision: 2, missingSecrets: ["apiKey"] })).toThrow(expect.objectContaining(waits("apiKey")));
});

test("without its key none is reached over HTTP, whoever says that nothing is missing", () => {
  const { missingSecrets: _unsaid, ...early } = plugin({ secrets: {} });
  expect(() => httpAccessOf(early)).toThrow(expect.objectContaining(waits("apiKey")));
  const { keys, open } = openedPartners();
  expect(open({ secrets: {} })).toThrow(expect.objectContaining(waits("apiKey")));
  expect(keys).toEqual([]);
});
