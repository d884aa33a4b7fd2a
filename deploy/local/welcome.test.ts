import { welcome } from "./welcome.js";

const user = { email: "ada@example.com", password: "it's long enough", role: "CUSTOMER" };

test("begins with the one line that says where the cluster answers, and shows a first call", () => {
  const text = welcome("http://localhost:8080", ".data/demo.json", { tenants: [{ name: "Demo", users: [user] }] });
  expect(text.split("\n")[0]).toBe("ready: http://localhost:8080");
  expect(text).toContain("(all in .data/demo.json)");
  expect(text).toContain("CUSTOMER  ada@example.com  it's long enough");
  expect(text).toContain(`-d '{"email":"ada@example.com","currentPassword":"it'\\''s long enough"}'`);
  expect(text).toContain("http://localhost:8080/console\n");
  expect(text.split("\n").slice(-2).join(" ")).toMatch(
    /http:\/\/localhost:8080\/docs .*\/openapi\.json.* charts\/manilla, docs\/operations\/README\.md/,
  );
});

test("says no more than that without demo tenants", () => {
  expect(welcome("http://localhost:1", ".data/demo.json", undefined)).toBe("ready: http://localhost:1");
});
