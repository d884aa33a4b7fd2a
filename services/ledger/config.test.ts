import { ledgerEnv } from "./config.js";

const advertised = (text: string) => ledgerEnv.shape.ADVERTISED_ADDRESS.safeParse(text).data;

test("a pod's IPv6 address, as Kubernetes gives it, is advertised with the brackets that a port needs", () => {
  expect(advertised("fd00:10:244::1f:9090")).toBe("[fd00:10:244::1f]:9090");
  expect(advertised("[fd00::1]:9090")).toBe("[fd00::1]:9090");
  expect(advertised("10.0.0.7:9090")).toBe("10.0.0.7:9090");
  expect(advertised("ledger-0.ledger:9090")).toBe("ledger-0.ledger:9090");
  expect(advertised("fd00::1")).toBeUndefined();
});
