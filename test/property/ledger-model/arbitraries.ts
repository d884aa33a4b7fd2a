import fc from "fast-check";
import { names } from "./world.js";

export const index = fc.nat(10_000);
export const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)];

/** Mostly what goes well, now and then what does not. */
export const mostly = <T>(good: fc.Arbitrary<T>, odd: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 30, arbitrary: good }, { weight: 1, arbitrary: odd });

export const pair = mostly(
  fc.constantFrom(
    ["bank", "w1"],
    ["bank", "w2"],
    ["w1", "w2"],
    ["w2", "w1"],
    ["w1", "cash"],
    ["bank", "cash"],
    ["cash", "w1"],
    ["bank", "w3"],
    ["w3", "w4"],
    ["w4", "bank"],
  ),
  fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names)),
) as fc.Arbitrary<[string, string]>;
export const amount = mostly(
  fc.bigInt(1n, 100n),
  fc.oneof(fc.constantFrom(0n, -1n), fc.bigInt(1n << 61n, (1n << 63n) - 1n)),
);
export const service = mostly(fc.constant("wallet"), fc.constant("remittance"));
