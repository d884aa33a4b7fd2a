import { readRpcArguments } from "./rpc-arguments.js";

test("reads an rpc with its request and options", () => {
  const options = ["--tenant", "demo", "--interaction", "i-1", "--user-token", "t", "--timeout", "1.5"];
  const args = readRpcArguments(["ledger.v1.LedgerService/GetAccount", '{"accountId":"a"}', ...options]);
  expect(args).toMatchObject({
    rpc: "ledger.v1.LedgerService/GetAccount",
    request: '{"accountId":"a"}',
    tenant: "demo",
    interaction: "i-1",
    userToken: "t",
    timeoutMs: 1500,
    list: false,
  });
});

test("sends an empty request when none is given", () => {
  expect(readRpcArguments(["X/Y"]).request).toBe("{}");
});

test.each([
  [[], /name an rpc/],
  [["X/Y", "{}", "more"], /quote the request/],
  [["X/Y", "--timeout", "soon"], /--timeout/],
  [["--tenat", "demo"], /--tenat/],
])("refuses %j", (args, message) => {
  expect(() => readRpcArguments(args)).toThrow(message);
});
