import { partnerKey, startSandboxPartner } from "../../../test/support/payout-partner.js";
import { hasPassed, type PluginCheck } from "../plugins/test-runs.js";
import { fetchExchange, type Exchange } from "../partners/exchange.js";
import { bankChecks } from "./bank-checks.js";
import { cardChecks } from "./card-checks.js";
import { certify } from "./index.js";

jest.setTimeout(60_000);

let partner: Awaited<ReturnType<typeof startSandboxPartner>>;
beforeAll(async () => {
  partner = await startSandboxPartner();
});
afterAll(async () => {
  await partner.stopPartner();
  await partner.removeBooks();
});

type Answer = { status: number; text: string };
type Change = (method: string, url: URL, answer: Answer) => Answer;
const kinds = ["BANK", "CARD"] as const;
const target = (change: object = {}) => ({
  url: partner.url,
  apiKey: partnerKey,
  account: "certification--sandbox",
  exchange: fetchExchange,
  ...change,
});
const failed = (reports: readonly PluginCheck[]) =>
  reports.filter(({ result }) => result !== "PASSED").map(({ name, result, detail }) => ({ name, result, detail }));

/** The real partner behind somebody who changes what it answers. */
const through =
  (change: Change): Exchange =>
  async (url, request) =>
    change(request.method, url, await fetchExchange(url, request));

test.each([
  ["BANK", bankChecks],
  ["CARD", cardChecks],
] as const)("the sandbox partner passes every check of %s, again and again", async (kind, checks) => {
  for (const _time of [1, 2]) {
    const reports = await certify(target(), kind);
    expect(failed(reports)).toEqual([]);
    expect(reports.map(({ name }) => name)).toEqual(checks.map(({ name }) => name));
    expect(hasPassed(reports)).toBe(true);
  }
});

const wrong: [string, string, Change][] = [
  [
    "an unknown reference is 200",
    "an unknown reference is 404",
    (_method, _url, answer) => (answer.status === 404 ? { status: 200, text: '{"status":"REFUSED"}' } : answer),
  ],
  [
    "a wrong key is taken",
    "a wrong key is 401",
    (_method, _url, answer) => (answer.status === 401 ? { status: 200, text: "{}" } : answer),
  ],
  [
    "another amount is no conflict",
    "the same reference with another amount is 409",
    (_method, _url, answer) => (answer.status === 409 ? { status: 200, text: '{"status":"REFUSED"}' } : answer),
  ],
  [
    "a refusal has no reason",
    "a refusal has a reason, and stays",
    (_method, _url, { status, text }) => ({ status, text: text.replaceAll(/,"reason":"[^"]*"/g, "") }),
  ],
  [
    "a fault is a refusal",
    "a fault of the partner's own is 5xx, and no refusal",
    (_method, _url, answer) => (answer.status === 500 ? { status: 200, text: '{"status":"REFUSED"}' } : answer),
  ],
];

describe.each(kinds)("a partner of %s", (kind) => {
  test.each(wrong)("of which %s fails the check of it", async (_name, check, change) => {
    const reports = await certify(target({ exchange: through(change) }), kind);
    expect(failed(reports).map(({ name }) => name)).toContain(check);
    expect(hasPassed(reports)).toBe(false);
  });

  test("that makes every order anew fails: a reference is made once", async () => {
    let made = 0;
    const anew: Exchange = async (url, request) => {
      if (request.method !== "PUT") return fetchExchange(url, request);
      made += 1;
      return fetchExchange(new URL(`${url.href}-${made}`), request);
    };
    const names = failed(await certify(target({ exchange: anew }), kind)).map(({ name }) => name);
    expect(names).toContain("the same reference twice is made once");
  });

  test("that forces no outcomes, or is not there, fails and throws nothing", async () => {
    const earnest = await certify(target({ account: "certification" }), kind);
    expect(hasPassed(earnest)).toBe(false);
    const away = await certify(target({ url: "http://127.0.0.1:1" }), kind);
    expect(failed(away)[0]).toEqual({
      name: "an unknown reference is 404",
      result: "FAILED",
      detail: "a look by reference was not answered",
    });
  });
});

const credits = "credits come once each, in order, page by page";
const list =
  (change: (page: { credits: object[]; nextCursor: string }) => object): Change =>
  (_method, { pathname }, answer) =>
    pathname === "/v1/bank/credits"
      ? { ...answer, text: JSON.stringify(change(JSON.parse(answer.text) as never)) }
      : answer;

test.each<[string, Change]>([
  ["has a credit twice", list(({ credits: all, ...rest }) => ({ ...rest, credits: all.flatMap((one) => [one, one]) }))],
  ["is in no order", list(({ credits: all, ...rest }) => ({ ...rest, credits: all.toReversed() }))],
  ["has no end", list((page) => ({ ...page, nextCursor: "0" }))],
])("a bank whose list of credits %s fails", async (_name, change) => {
  const reports = await certify(target({ exchange: through(change) }), "BANK");
  expect(failed(reports)).toMatchObject([{ name: credits, result: "FAILED" }]);
});

test("a bank at which no credit can be made to arrive leaves that check out", async () => {
  const none: Change = (_method, { pathname }, answer) =>
    pathname === "/v1/sandbox/credits" ? { status: 404, text: "{}" } : answer;
  const reports = await certify(target({ exchange: through(none) }), "BANK");
  expect(failed(reports)).toMatchObject([{ name: credits, result: "LEFT_OUT" }]);
  expect(hasPassed(reports)).toBe(true);
});
