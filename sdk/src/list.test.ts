import { Manilla } from "./index.js";
import { enveloped, serve, type Handler, type TestServer } from "../test/server.js";

let server: TestServer;
afterEach(() => server.close());

async function manillaOf(answer: (query: URLSearchParams) => object) {
  const handler: Handler = ({ url }) => ({ body: answer(new URL(url, "http://a").searchParams) });
  server = await serve(handler);
  return new Manilla({ baseUrl: server.baseUrl, credentials: { apiToken: "t" } });
}
const requested = () => server.received.map(({ url }) => url.split("?")[1] ?? "");

/** 5 things, 2 a page. */
const byCursor = (items: string, next: string) => (query: URLSearchParams) => {
  const from = Number(query.get("cursor") ?? 0);
  const things = [0, 1, 2, 3, 4].slice(from, from + 2).map((id) => ({ id }));
  return enveloped({ [items]: things, ...(from + 2 < 5 && { [next]: String(from + 2) }) });
};

test("a cursor leads to the end, with the query kept", async () => {
  const manilla = await manillaOf(byCursor("transactions", "nextCursor"));
  const ids: unknown[] = [];
  for await (const { id } of manilla.transactions.list({ status: "PAID" } as never)) ids.push(id);
  expect(ids).toEqual([0, 1, 2, 3, 4]);
  expect(requested()).toEqual(["status=PAID", "status=PAID&cursor=2", "status=PAID&cursor=4"]);
});

test("a page says what leads to the next", async () => {
  const manilla = await manillaOf(byCursor("customers", "cursor"));
  const first = await manilla.people.listCustomers().page();
  expect(first.items).toHaveLength(2);
  expect(first.next).toEqual({ cursor: "2" });
  const last = await manilla.people.listCustomers({ cursor: "4" }).page();
  expect([last.items.length, last.next]).toEqual([1, undefined]);
});

test("toArray ends at its most, and asks for no page more", async () => {
  const manilla = await manillaOf(byCursor("transactions", "nextCursor"));
  await expect(manilla.transactions.list().toArray({ max: 3 })).resolves.toHaveLength(3);
  expect(requested()).toHaveLength(2);
  await expect(manilla.transactions.list().toArray({ max: 0 })).resolves.toEqual([]);
  expect(requested()).toHaveLength(2);
});

test("numbered pages are read alike", async () => {
  const manilla = await manillaOf((query) => {
    const page = Number(query.get("page") ?? 1);
    return {
      ...enveloped([{ loanApplicationId: `l-${page}`, loanAmount: 0.1 }]),
      page,
      size: 1,
      totalElements: 3,
      totalPages: 3,
    };
  });
  const loans = await manilla.loans.history("c-1", { size: 1 }).toArray({ max: 10 });
  expect(loans.map(({ loanApplicationId, loanAmount }) => `${loanApplicationId} ${loanAmount}`)).toEqual([
    "l-1 0.1",
    "l-2 0.1",
    "l-3 0.1",
  ]);
  expect(requested()).toEqual(["size=1", "size=1&page=2", "size=1&page=3"]);
});

test("what is listed by what came before ends with an empty page", async () => {
  const manilla = await manillaOf((query) => {
    const before = Number(query.get("before") ?? 4);
    return enveloped(before > 1 ? [{ sequence: before - 1 }] : []);
  });
  const rates = manilla.rates.list({ sendCurrency: "USD", receivingCurrency: "NGN" });
  await expect(rates.toArray({ max: 10 })).resolves.toEqual([{ sequence: 3 }, { sequence: 2 }, { sequence: 1 }]);
});

test("a list beside whose items the cursor stands is asked by POST", async () => {
  const manilla = await manillaOf((query) => ({
    ...enveloped([{ id: query.get("cursor") ?? "0" }]),
    ...(!query.has("cursor") && { nextCursor: "1" }),
  }));
  await expect(manilla.payoutPoints.listAllocated({ destinationCountry: "NGA" }).toArray({ max: 10 })).resolves.toEqual(
    [{ id: "0" }, { id: "1" }],
  );
  expect(server.received.map(({ method, body }) => `${method} ${body}`)).toEqual(
    Array(2).fill('POST {"destinationCountry":"NGA"}'),
  );
});

test("a cursor that leads to itself does not turn for ever", async () => {
  const manilla = await manillaOf(() => enveloped({ transactions: [{ id: 1 }], nextCursor: "same" }));
  await expect(manilla.transactions.list().toArray({ max: 10 })).resolves.toHaveLength(2);
});
