import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { fixtureFolder } from "../../seed/fixture.js";
import { costMinorOf, month, paymentsOf } from "./plan.js";

const stretches = Array.from({ length: month.stretches }, (_none, stretch) => stretch);

test("a bank's price is exact to the nearest cent, and unknown for another currency", () => {
  expect(costMinorOf(153_500n, "NGN")).toBe(100n);
  expect([costMinorOf(1_535n, "NGN"), costMinorOf(767n, "NGN"), costMinorOf(768n, "NGN")]).toEqual([1n, 0n, 1n]);
  expect(costMinorOf((1n << 63n) - 1n, "NGN")).toBe(6_008_711_424_661_092n);
  expect(costMinorOf(100n, "GBP")).toBeUndefined();
});

test("the demo's customer has every recipient of the month, and the money for it", async () => {
  const { tenants } = parse(await readFile(join(fixtureFolder, "demo.yaml"), "utf8")) as {
    tenants: {
      customers: { wallets: { currency: string; openingBalance: string }[]; beneficiaries: { code: string }[] }[];
    }[];
  };
  const [sender] = tenants[0]!.customers;
  const sent = stretches.flatMap(paymentsOf);
  const codes = sender!.beneficiaries.map(({ code }) => code);
  expect(sent.filter(({ recipient }) => !codes.includes(recipient))).toEqual([]);
  const wallet = sender!.wallets.find(({ currency }) => currency === "USD");
  const sum = sent.reduce((all, { sendAmount }) => all + Number(sendAmount), 0);
  // Fees and taxes of the demo's corridors are below 4 USD each for such amounts.
  expect(sum + 4 * sent.length).toBeLessThan(Number(wallet!.openingBalance));
});
