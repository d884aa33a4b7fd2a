import { readAgainIfDifferent } from "./second-reading.js";

const readings = (...given: string[][]) => {
  const read = jest.fn<Promise<{ differences: string[] }>, []>();
  for (const differences of given) read.mockResolvedValueOnce({ differences });
  return read;
};

test("books that agree are read once", async () => {
  const read = readings([]);
  expect(await readAgainIfDifferent(read)).toEqual({ differences: [] });
  expect(read).toHaveBeenCalledTimes(1);
});

test("where they differ the second reading counts, whatever it says", async () => {
  for (const second of [[], ["still"]]) {
    const read = readings(["at first"], second);
    expect(await readAgainIfDifferent(read)).toEqual({ differences: second });
    expect(read).toHaveBeenCalledTimes(2);
  }
});
