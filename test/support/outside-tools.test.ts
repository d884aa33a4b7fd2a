import { isThere } from "./outside-tools.js";

const depth = process.env["TEST_DEPTH"];
afterEach(() => {
  if (depth === undefined) delete process.env["TEST_DEPTH"];
  else process.env["TEST_DEPTH"] = depth;
});

test("whoever waits goes without a tool that is missing, and CI cannot go green without it", () => {
  delete process.env["TEST_DEPTH"];
  expect(isThere(undefined, "a tool: install it")).toBe(false);
  process.env["TEST_DEPTH"] = "ci";
  expect(() => isThere(undefined, "a tool: install it")).toThrow("These tests need a tool: install it.");
  expect(isThere("/bin/tool", "a tool: install it")).toBe(true);
});
