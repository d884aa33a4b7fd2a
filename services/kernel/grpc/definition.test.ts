import { Money } from "../../../proto/gen/common/v1/money.js";
import { encodeMessage } from "./definition.js";

const money = (amountMinor: bigint, currency = "USD") => ({ amountMinor, currency });

test("messages share the memory that they are encoded in, and nothing of one shows in another", () => {
  const first = encodeMessage(Money, money(7n));
  const large = encodeMessage(Money, money(8n, "x".repeat(1_000_000)));
  const last = encodeMessage(Money, money(9n));
  expect([first, last].map((bytes) => Money.decode(bytes))).toEqual([money(7n), money(9n)]);
  expect(Money.decode(large).currency).toHaveLength(1_000_000);
});

test("a message that cannot be encoded leaves nothing behind", () => {
  expect(() => encodeMessage(Money, { currency: "USD", amountMinor: 2n ** 63n })).toThrow();
  expect(Money.decode(encodeMessage(Money, money(1n)))).toEqual(money(1n));
});
