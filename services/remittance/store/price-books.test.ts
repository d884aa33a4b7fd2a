import { randomUUID } from "node:crypto";
import { on } from "../../../test/support/remittance-calls.js";
import { createWorld, type World } from "../../../test/support/remittance-fixture.js";
import { openTenant } from "../../../test/support/remittance-samples.js";
import { createPriceBooks } from "./price-books.js";
import type { Rate } from "../domain/rate.js";
import { takes } from "../../../test/support/time.js";

let world: World;
beforeAll(async () => void (world = await createWorld("price_book")));
afterAll(() => world.close());

const pair = { sendCurrency: "USD", receivingCurrency: "NGN" };
const hourMs = 3_600_000;

async function putRate(tenantId: string, rate: Partial<Rate> & { rate: string; sequence: number }) {
  const now = world.now();
  const whole = { ...pair, source: "desk", rateId: randomUUID(), validFrom: now, createdAt: now, createdBy: "MA1" };
  await world.store.transaction(
    (session) => world.store.forTenant(tenantId).insertRates([{ ...whole, ...rate }], session),
    async () => undefined,
  );
}

test("what another replica changes is seen by the next who asks", async () => {
  const tenantId = await openTenant(world);
  const books = createPriceBooks(world.store);
  const seen = async () => {
    const book = await books.of(tenantId);
    const [corridors, rate, markups] = await Promise.all([
      book.corridorsBetween("USA", "NGA"),
      book.rateAt(pair, world.now()),
      book.markupsOf(""),
    ]);
    return [corridors[0]?.version, rate?.rate, markups[0]?.rateBps];
  };
  expect(await seen()).toEqual([1, "1600", undefined]);
  await world.operator.putRate({ ...pair, rate: "1700", source: "desk" }, on(tenantId));
  expect(await seen()).toEqual([1, "1700", undefined]);
  await world.operator.putMarkup({ markup: { owner: "TENANT", rateBps: 50 } }, on(tenantId));
  expect(await seen()).toEqual([1, "1700", 50]);
  const [corridor] = (await world.operator.listCorridors({}, on(tenantId))).corridors;
  await world.operator.putCorridor({ corridor: { ...corridor!, maximumMinor: 500_00n } }, on(tenantId));
  expect(await seen()).toEqual([2, "1700", 50]);
});

test("a rate begins and ends by itself, though nothing is changed then", async () => {
  const tenantId = await openTenant(world);
  const now = world.now().getTime();
  const at = (ms: number) => new Date(now + ms);
  await putRate(tenantId, { rate: "1800", sequence: 2, validFrom: at(hourMs), validUntil: at(2 * hourMs) });
  const books = createPriceBooks(world.store);
  const rateAt = async (ms: number) => (await (await books.of(tenantId)).rateAt(pair, at(ms)))?.rate;
  expect(await rateAt(1_000)).toBe("1600");
  expect(await rateAt(hourMs - 1)).toBe("1600");
  expect(await rateAt(hourMs)).toBe("1800");
  expect(await rateAt(2 * hourMs - 1)).toBe("1800");
  expect(await rateAt(2 * hourMs)).toBe("1600");
  // A clock that is behind the one before, as that of another replica.
  expect(await rateAt(hourMs)).toBe("1800");
});

test("that there is no rate is kept only until there is one", async () => {
  const tenantId = `${await openTenant(world)}-other`;
  const books = createPriceBooks(world.store);
  const rate = async () => (await (await books.of(tenantId)).rateAt(pair, world.now()))?.rate;
  expect(await rate()).toBeUndefined();
  await putRate(tenantId, { rate: "1500", sequence: 1, validFrom: new Date(Date.now() - 1_000) });
  expect(await rate()).toBe("1500");
});

test("many who ask at once share few looks, none of them older than its question", async () => {
  let reads = 0;
  let version = 1;
  const store = {
    forTenant: () => ({
      async priceVersion() {
        reads += 1;
        const seen = version;
        await takes(5);
        return seen;
      },
      listCorridors: async () => [{ version }],
    }),
  };
  const books = createPriceBooks(store as never);
  const seen = async () => (await (await books.of("t")).corridorsBetween("USA", "NGA"))[0]?.version;
  expect(await seen()).toBe(1);
  const early = seen();
  version = 2;
  const late = Array.from({ length: 20 }, seen);
  await early;
  expect(new Set(await Promise.all(late))).toEqual(new Set([2]));
  expect(reads).toBe(3);
});

test("what could not be read is asked for again", async () => {
  let tries = 0;
  const store = {
    forTenant: () => ({
      priceVersion: async () => 1,
      async listCorridors() {
        tries += 1;
        if (tries === 1) throw new Error("away");
        return [];
      },
    }),
  };
  const book = await createPriceBooks(store as never).of("t");
  await expect(book.corridorsBetween("USA", "NGA")).rejects.toThrow("away");
  await expect(book.corridorsBetween("USA", "NGA")).resolves.toEqual([]);
});
