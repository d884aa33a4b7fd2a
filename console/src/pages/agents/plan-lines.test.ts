import { sharesOf, shareText, tiersOf, tierText } from "./plan-lines";

it("reads tiers a line each, the last one without an end", () => {
  const text = "100.00 100\n 500.00  75 \n\n50";
  const tiers = [{ upTo: "100.00", bps: 100 }, { upTo: "500.00", bps: 75 }, { bps: 50 }];
  expect(tiersOf(text)).toEqual(tiers);
  expect(tiersOf(tierText(tiers))).toEqual(tiers);
  expect(tiersOf("")).toEqual([]);
});

it("reads shares a line each", () => {
  const shares = [
    { party: "AGENT", bps: 8000 },
    { party: "SUPER-AGENT", bps: 2000 },
  ];
  expect(sharesOf(shareText(shares))).toEqual(shares);
});

it("takes no line that is neither", () => {
  expect(["100.00 ten", "100,00 10", "-1", "1 2 3"].map((line) => tiersOf(`50.00 10\n${line}`))).toEqual(
    Array(4).fill(undefined),
  );
  expect(["AGENT", "AGENT -1", "A B 1"].map(sharesOf)).toEqual(Array(3).fill(undefined));
});
