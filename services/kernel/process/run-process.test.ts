import { runProcess } from "./run-process.js";

afterEach(() => jest.restoreAllMocks());

test.each([
  [
    "throws before it gives a promise",
    () => {
      throw new Error("The environment is not usable:\n  PORT: is required");
    },
  ],
  [
    "rejects",
    async () => {
      throw new Error("The environment is not usable:\n  PORT: is required");
    },
  ],
])("a process whose start %s says why in its log and ends with status 1", async (_how, start) => {
  const exit = jest.spyOn(process, "exit").mockImplementation(() => {
    throw new Error("ended");
  });
  await expect(runProcess("wallet", start)).rejects.toThrow("ended");
  expect(exit).toHaveBeenCalledWith(1);
});
