import { unitsOf } from "../../../test/support/turn-units.js";
import { whileWaitedFor } from "./waited-for.js";

/** As a cursor gives what it has in memory: without a turn of the event loop. */
async function* rows(count: number): AsyncGenerator<number> {
  for (let row = 0; row < count; row += 1) yield row;
}

test("a report leaves others their turn after a thousand rows, and ends with whoever asked", async () => {
  let read = 0;
  const units = await unitsOf("report", async () => {
    for await (const _row of whileWaitedFor(rows(2_500), new AbortController().signal)) read += 1;
  });
  expect([read, units]).toEqual([2_500, [1_000, 1_000, 500]]);
  const leaving = new AbortController();
  setImmediate(() => leaving.abort(new Error("nobody waits")));
  let left = 0;
  const reading = async () => {
    for await (const _row of whileWaitedFor(rows(2_500), leaving.signal)) left += 1;
  };
  await expect(reading()).rejects.toThrow("nobody waits");
  expect(left).toBe(999);
});
