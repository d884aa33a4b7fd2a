import type { RegisterCustomerRequest, UpdateProfileRequest } from "../../proto/gen/identity/v1/identity.js";
import { startEdge, type Edge } from "../../test/gateway/edge.js";
import { answerSamples, operationNamed } from "../../test/gateway/operations.js";

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
  answerSamples(edge);
});
afterAll(() => edge.stop());

async function send(name: string, change: object = {}) {
  const { request } = operationNamed(name);
  const headers = { ...request.headers, "X-Auth-Token": await edge.token({ role: "MANAGER" }) };
  const body = request.body === undefined ? undefined : { ...(request.body as object), ...change };
  return edge.send({ ...request, headers, ...(body && { body }) });
}

/** What identity is asked while an operation is sent. */
async function requested<R>(rpc: "registerCustomer" | "updateProfile", run: () => Promise<unknown>) {
  const requests: R[] = [];
  const answer = edge.fakes.identity[rpc] as (request: unknown, call: unknown) => unknown;
  Object.assign(edge.fakes.identity, {
    [rpc]: (request: R, call: unknown) => {
      requests.push(request);
      return answer(request, call);
    },
  });
  await run();
  Object.assign(edge.fakes.identity, { [rpc]: answer });
  return requests;
}

const address = { lines: ["4 Awolowo Road"], city: "Lagos", region: "Lagos", postalCode: "101233", country: "NGA" };
const passport = { type: "PASSPORT", number: "B01234567", country: "NGA", expiresAt: "2031-03-04", gender: "FEMALE" };

describe("personal details", () => {
  test("are members of the customer beside the name, and absent where they are not known", async () => {
    expect((await send("readCustomer")).json.data).toMatchObject({
      dateOfBirth: "1994-02-11",
      placeOfBirth: { city: "Lagos", country: "NGA" },
      nationality: "NGA",
      address,
      identityDocuments: [passport],
    });
    const { data } = (await send("assignCustomer")).json;
    const names = ["details", "dateOfBirth", "placeOfBirth", "nationality", "address", "identityDocuments"];
    expect(names.filter((name) => name in data)).toEqual([]);
  });

  test("go to identity as they were given, countries as alpha-3", async () => {
    const person = { dateOfBirth: "1994-02-11", placeOfBirth: { city: "Lagos", country: "NG" }, address };
    const given = {
      ...person,
      nationality: "NG",
      identityDocuments: [{ ...passport, country: "NG", expiresAt: null }],
    };
    const [request] = await requested<RegisterCustomerRequest>("registerCustomer", () =>
      send("registerCustomer", given),
    );
    expect(request!.details).toEqual({
      dateOfBirth: "1994-02-11",
      placeOfBirth: { city: "Lagos", country: "NGA" },
      nationality: "NGA",
      address,
      identityDocuments: [{ ...passport, expiresAt: "", seenBy: "" }],
    });
  });

  test("are left as they are by a change that names none", async () => {
    const nothing = Object.fromEntries(
      ["dateOfBirth", "placeOfBirth", "nationality", "address", "identityDocuments"].map((name) => [name, null]),
    );
    const [request] = await requested<UpdateProfileRequest>("updateProfile", () => send("updateUser", nothing));
    expect(request!.details).toBeUndefined();
  });

  test.each([
    ["dateOfBirth", { dateOfBirth: "11/02/1994" }],
    ["address.lines", { address: { ...address, lines: [] } }],
    ["address.country", { address: { ...address, country: "Nigeria" } }],
    ["identityDocuments", { identityDocuments: [] }],
    ["identityDocuments.0.type", { identityDocuments: [{ ...passport, type: "LIBRARY_CARD" }] }],
    ["identityDocuments.0.gender", { identityDocuments: [{ ...passport, gender: "TALL" }] }],
  ])("of another form are refused by path: %s", async (path, change) => {
    const { status, json } = await send("registerCustomer", change);
    expect(status).toBe(400);
    expect(JSON.stringify(json)).toContain(`"${path}"`);
  });
});
