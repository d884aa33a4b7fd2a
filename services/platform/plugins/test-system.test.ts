import { testSystemOf } from "./test-system.js";

const plugin = (configuration: Record<string, unknown>) => ({
  installationId: "p1",
  type: "manilla-http",
  status: "DRAFT",
  configuration,
  secrets: {},
  name: "Ours",
  missingSecrets: [],
  routes: [],
  revision: 1,
});
const live = "bank-1";
const sandbox = "bank-1--sandbox";
const url = "https://pay.example/api";

test("a live partner is tested at another address than its own, or not at all", () => {
  expect(testSystemOf(plugin({ url }), live)).toBeUndefined();
  for (const testUrl of [url, `${url}/`, "https://PAY.example:443/api", "https://pay.example/api?x=1"]) {
    expect([testUrl, testSystemOf(plugin({ url, testUrl }), live)]).toEqual([testUrl, undefined]);
  }
  for (const testUrl of ["https://test.pay.example/api", "https://pay.example/test"]) {
    expect(testSystemOf(plugin({ url, testUrl }), live)?.configuration).toEqual({ url: testUrl, testUrl });
  }
});

test("a sandbox's is tested where it is, or at its test system", () => {
  expect(testSystemOf(plugin({ url }), sandbox)?.configuration).toEqual({ url });
  expect(testSystemOf(plugin({ url, testUrl: url }), sandbox)?.configuration).toEqual({ url, testUrl: url });
});
