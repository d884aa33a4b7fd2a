import { multiplyMoney, parseDecimal } from "../../kernel/decimal.js";
import { movePosition, noPosition, unrealisedMinor, type PositionMovement } from "./average-cost.js";

/** A sequence of numbers that looks random and is the same at every run. */
function sequence(seed: bigint) {
  let state = seed;
  return (below: bigint) => {
    state = (state * 6364136223846793005n + 1442695040888963407n) % 2n ** 64n;
    return ((state >> 11n) * below) >> 53n;
  };
}

const after = (...movements: PositionMovement[]) =>
  movements.reduce(
    ({ position, realisedMinor }, movement) => {
      const moved = movePosition(position, movement);
      return { position: moved, realisedMinor: realisedMinor + moved.realisedMinor };
    },
    { position: noPosition, realisedMinor: 0n },
  );

test("naira sold for 100.00 USD and bought back for 99.40 USD wins 0.60", () => {
  const sold = { quantityMinor: -15_257_500n, receivedMinor: 100_00n };
  expect(after(sold).position).toMatchObject({ quantityMinor: -15_257_500n, costMinor: -100_00n });
  const { position, realisedMinor } = after(sold, { quantityMinor: 15_257_500n, receivedMinor: -99_40n });
  expect([position.quantityMinor, position.costMinor, realisedMinor]).toEqual([0n, 0n, 60n]);
});

test.each([
  ["1.15", -5_00n],
  ["1.20", 0n],
  ["1.25", 5_00n],
  ["1.30", 10_00n],
])("100 USD bought for 120 CAD are revalued at %s", (rate, expected) => {
  const { position } = after({ quantityMinor: 100_00n, receivedMinor: -120_00n });
  const value = multiplyMoney(
    { minor: position.quantityMinor, currency: "USD" },
    parseDecimal(rate),
    "CAD",
    "half-even",
  );
  expect(unrealisedMinor(position, value.minor)).toBe(expected);
});

test("part of a position realises at its average cost, half-even", () => {
  const bought = [
    { quantityMinor: 2n, receivedMinor: -3n },
    { quantityMinor: 2n, receivedMinor: -3n },
  ];
  const { position, realisedMinor } = after(...bought, { quantityMinor: -1n, receivedMinor: 2n });
  // A quarter of 6 is 1.5: half-even 2.
  expect([position.costMinor, realisedMinor]).toEqual([4n, 0n]);
});

test("what goes beyond zero opens the other side at its own price", () => {
  const { position, realisedMinor } = after(
    { quantityMinor: 100n, receivedMinor: -120n },
    { quantityMinor: -300n, receivedMinor: 390n },
  );
  expect([position.quantityMinor, position.costMinor, realisedMinor]).toEqual([-200n, -260n, 10n]);
});

test("base that moves alone is realised", () => {
  expect(after({ quantityMinor: 0n, receivedMinor: -7n }).realisedMinor).toBe(-7n);
});

test("received less paid is always what was realised less the cost of what is left", () => {
  for (let seed = 1n; seed <= 60n; seed += 1n) {
    const next = sequence(seed);
    // Cents, whole yen, thousandths of a dinar, and up to what int64 holds.
    const most = [10n, 1_000n, 1_000_000n, 2n ** 62n][Number(next(4n))]!;
    let [position, realised, received] = [noPosition, 0n, 0n];
    for (let step = 0; step < 200; step += 1) {
      const isClosing = next(8n) === 0n;
      const quantityMinor = isClosing ? -position.quantityMinor : next(2n * most + 1n) - most;
      const movement = { quantityMinor, receivedMinor: next(2n * most + 1n) - most };
      const moved = movePosition(position, movement);
      position = moved;
      realised += moved.realisedMinor;
      received += movement.receivedMinor;
      expect(received).toBe(realised - position.costMinor);
      if (position.quantityMinor === 0n) expect(position.costMinor).toBe(0n);
    }
  }
});
