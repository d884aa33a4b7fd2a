import type { CreateBeneficiaryRequest } from "../../proto/gen/remittance/v1/remittance.js";
import { startEdge, type Edge } from "../../test/gateway/edge.js";
import { answerSamples, operationNamed } from "../../test/gateway/operations.js";

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
  answerSamples(edge);
});
afterAll(() => edge.stop());

const names = ["createBeneficiary", "changeBeneficiary"] as const;
const rpcs = { createBeneficiary: "createBeneficiary", changeBeneficiary: "changeBeneficiary" } as const;

async function send(name: (typeof names)[number], part: object = {}) {
  const { request } = operationNamed(name);
  const headers = { ...request.headers, "X-Auth-Token": await edge.token({ role: "MANAGER" }) };
  return edge.send({ ...request, headers, body: { ...(request.body as object), ...part } });
}

/** What remittance is told of the details. */
async function told(name: (typeof names)[number], part: object) {
  const rpc = rpcs[name];
  const answer = edge.fakes.remittance[rpc] as (request: unknown, call: unknown) => unknown;
  const requests: Pick<CreateBeneficiaryRequest, "details">[] = [];
  Object.assign(edge.fakes.remittance, {
    [rpc]: (request: CreateBeneficiaryRequest, call: unknown) => (requests.push(request), answer(request, call)),
  });
  const { status } = await send(name, part);
  Object.assign(edge.fakes.remittance, { [rpc]: answer });
  expect([status, requests.length]).toEqual([200, 1]);
  return requests[0]!.details;
}

const address = { lines: ["7 Broad Street"], city: "Lagos", region: "", postalCode: "101231", country: "NGA" };
const unsaid = { lei: "", phoneNumber: "" };
const nothing = { kind: null, dateOfBirth: null, nationality: null, address: null };

test.each(names)("%s tells what was given, countries as alpha-3, and answers what is known", async (name) => {
  const given = { nationality: "GH", address: { ...address, region: null, country: "NG" } };
  expect(await told(name, given)).toEqual({
    ...unsaid,
    kind: "PERSON",
    dateOfBirth: "1988-03-14",
    nationality: "GHA",
    address,
  });
  expect(await told(name, { ...nothing, kind: "COMPANY" })).toEqual({
    ...unsaid,
    kind: "COMPANY",
    dateOfBirth: "",
    nationality: "",
    address: undefined,
  });
  const { region: _region, ...shown } = address;
  expect((await send(name)).json.data).toMatchObject({
    kind: "PERSON",
    dateOfBirth: "1988-03-14",
    nationality: "NGA",
    address: shown,
  });
});

test.each(names)("%s that gives none of it says nothing of it", async (name) => {
  expect(await told(name, nothing)).toBeUndefined();
});

const long = "x".repeat(10_240);
test.each<[string, object]>([
  ["firstName", { firstName: long }],
  ["lastName", { lastName: long }],
  ["kind", { kind: "TRUST" }],
  ["dateOfBirth", { dateOfBirth: "14/03/1988" }],
  ["dateOfBirth", { dateOfBirth: "" }],
  ["nationality", { nationality: "Ghana" }],
  ["address.lines", { address: { ...address, lines: ["1", "2", "3"] } }],
  ["address.lines.0", { address: { ...address, lines: [long] } }],
  ["address.city", { address: { ...address, city: "" } }],
  ["address.country", { address: { ...address, country: "\u{1f1f3}\u{1f1ec}" } }],
])("of another form it is refused by path: %s", async (path, part) => {
  for (const name of names) {
    const { status, json } = await send(name, part);
    expect([name, status]).toEqual([name, 400]);
    expect(JSON.stringify(json)).toContain(`"${path}"`);
  }
});
