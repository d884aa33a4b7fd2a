import { createTransaction, pay, type Answer, type Tenant, type Wallet, type Who } from "./world.js";

/** What is measured of a tenant, by its name. */
export interface Measured {
  name: string;
  /** Page: bounded by its size. Report: as large as what it counts. Posting: writes. */
  kind: "page" | "report" | "posting";
  /** Once more; throws where it is not answered as it should be. */
  run(): Promise<unknown>;
}

const v6 = "/api/v6/services";
const list = `${v6}/transactionmanagement/transactions`;
const customers = `${v6}/usermanagement/customers`;
const ledger = `${v6}/ledger`;
const compliance = `${v6}/compliance`;
const dayMs = 86_400_000;

/** A date so many days back, as reports name it. */
const dayOf = (daysAgo: number) => new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10);
const momentOf = (daysAgo: number) => new Date(Date.now() - daysAgo * dayMs).toISOString();

export async function callsOf(tenant: Tenant, wallet: Wallet): Promise<Measured[]> {
  const get = async (who: Who, path: string): Promise<Answer> => {
    const answer = await tenant.call(who, "GET", path);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  };
  const read = (name: string, path: string, who: Who = "manager", kind: Measured["kind"] = "page"): Measured => ({
    name,
    kind,
    run: () => get(who, path),
  });
  /** Page 20 of a list, by the cursors before it. */
  const deep = async (name: string, path: string, who: Who = "manager", member = "nextCursor"): Promise<Measured> => {
    let cursor = "";
    const joint = path.includes("?") ? "&" : "?";
    for (let page = 1; page < 20; page++) {
      const { data } = (await get(who, `${path}${cursor && `${joint}cursor=${encodeURIComponent(cursor)}`}`)).body;
      const next = (data as Record<string, string | undefined>)[member];
      if (next === undefined) break;
      cursor = next;
    }
    return read(`${name}, page 20`, `${path}${joint}cursor=${encodeURIComponent(cursor)}`, who);
  };
  return [
    ...(await transactionCalls(read, deep)),
    ...(await customerCalls(read, deep)),
    ...findCalls(tenant),
    ...(await moneyCalls(read, deep, wallet)),
    ...oversightCalls(read),
    ...postingCalls(tenant, wallet),
  ];
}

type Read = (name: string, path: string, who?: Who, kind?: Measured["kind"]) => Measured;
type Deep = (name: string, path: string, who?: Who, member?: string) => Promise<Measured>;

async function transactionCalls(read: Read, deep: Deep): Promise<Measured[]> {
  const of = (query: string) => `${list}?${query}`;
  const range = `from=${momentOf(40)}&to=${momentOf(39)}`;
  return [
    read("transactions, the newest", list),
    await deep("transactions", list),
    read("transactions, REFUNDED", of("status=REFUNDED")),
    await deep("transactions, REFUNDED", of("status=REFUNDED")),
    read("transactions, REJECTED or EXPIRED", of("status=REJECTED,EXPIRED")),
    read("transactions of a day", of(range)),
    read("transactions of a day, REJECTED", of(`${range}&status=REJECTED`)),
    read("transactions to a rare country", of("receivingCountry=DEU")),
    read("transactions to a rare country, CANCELLED", of("receivingCountry=GBR&status=CANCELLED")),
    read("transactions by a rare way", of("type=WALLET")),
    read("transactions by a rare way to a country", of("type=CASH_PICKUP&receivingCountry=KEN")),
    read("transactions in a currency that none has", of("sendCurrency=EUR")),
    read("transactions of a sender's code", of("senderCustomerCode=C-00000007")),
    read("transactions to a recipient's code", of("recipientCustomerCode=B-C-00000007")),
    read("transactions, search a common name", of("search=mohammed")),
    await deep("transactions, search a common name", of("search=mohammed")),
    read("transactions, search two names", of("search=ngozi%20bello")),
    read("transactions, search a name and REJECTED", of("search=amina&status=REJECTED")),
    read("transactions, search a code", of("search=MN0000000042")),
    read("transactions, search what none has", of("search=zebedee")),
    read("transactions held", of("held=true")),
    read("a customer's transactions", list, "amina"),
    await deep("a customer's transactions", list, "amina"),
    read("a customer's transactions, REJECTED", of("status=REJECTED"), "amina"),
    read("an agent's transactions", list, "agent"),
    read("an agent's transactions, REJECTED", of("status=REJECTED"), "agent"),
    read("an agent's transactions to a rare country", of("receivingCountry=DEU"), "agent"),
  ];
}

async function customerCalls(read: Read, deep: Deep): Promise<Measured[]> {
  const of = (query: string) => `${customers}?size=20&${query}`;
  const search = (text: string) => read(`customers, search "${text}"`, of(`search=${encodeURIComponent(text)}`));
  return [
    read("customers", `${customers}?size=20`),
    await deep("customers", `${customers}?size=20`, "manager", "cursor"),
    read("customers, CONFIRMED", of("status=CONFIRMED")),
    read("customers, PENDING", of("status=PENDING")),
    read("customers, BLOCKED", of("status=BLOCKED")),
    read("an agent's customers", `${customers}?size=20`, "agent"),
    read("an agent's customers, PENDING", of("status=PENDING"), "agent"),
    read("an agent's customers, search", of("search=ad"), "agent"),
    ...["mo", "ad", "qu", "zz", "mohammed", "xolani", "amina bello", "mohammed zwane", "ad be", "zebedee"].map(search),
    await deep('customers, search "ad"', of("search=ad"), "manager", "cursor"),
    await deep('customers, search "mohammed"', of("search=mohammed"), "manager", "cursor"),
    ...["C-00000042", "+2348010000042", "amina.bello"].map(search),
    read("customers, search and PENDING", of("search=mo&status=PENDING")),
  ];
}

/**
 * Who stands at the desk, by names that are of many and of few, misspelt, and by what one has
 * alone.
 */
function findCalls(tenant: Tenant): Measured[] {
  const sought: object[] = [
    { name: "Mohammed Okafor" },
    { name: "Mohamed Okafo" },
    { name: "Xolani Zwane" },
    { name: "Xolami Zwanne" },
    { name: "Mohamed" },
    { name: "Zebedee Quagmire" },
    { name: "Ngosi Belo", dateOfBirth: "1971-09-08" },
    { phone: "0801 000 0042" },
    { document: { number: "a-10000042" } },
  ];
  return sought.map((body) => ({
    name: `customers, find ${Object.values(body)
      .map((one) => (typeof one === "string" ? one : one.number))
      .join(", ")}`,
    kind: "page",
    run: async () => {
      const { status, body: answer } = await tenant.call("manager", "POST", `${customers}/find`, body);
      if (status !== 200) throw new Error(`find ${JSON.stringify(body)}: ${status} ${JSON.stringify(answer)}`);
    },
  }));
}

async function moneyCalls(read: Read, deep: Deep, { accountId }: Wallet): Promise<Measured[]> {
  const money = `${v6}/paymentmanagement`;
  const statement = `${money}/wallet-accounts/${accountId}/statement`;
  return [
    read("wallets of a customer", `${money}/wallet-accounts`, "amina"),
    read("statement of a wallet", statement, "amina"),
    await deep("statement of a wallet", statement, "amina"),
    read("statement of an hour", `${statement}?from=${momentOf(1 / 24)}`, "amina"),
    read("payables", `${money}/payables`),
    read("payables, BILL", `${money}/payables?type=BILL`),
    read("a customer's payables", `${money}/payables`, "amina"),
    read("unmatched credits", `${money}/unmatched-credits`),
    read("held arrivals", `${money}/held-arrivals`),
    read("tills", `${money}/tills`),
    read("ledger accounts", `${ledger}/accounts`),
    await deep("ledger accounts", `${ledger}/accounts`),
    read("ledger accounts of a code", `${ledger}/accounts?code=bank_settlement`),
    read("balance of an account at a day", `${ledger}/accounts/${accountId}/balance?at=${dayOf(0)}`),
    read("entries of the bank", `${ledger}/accounts/bank_settlement:operator:USD/entries`),
    await deep("entries of the bank", `${ledger}/accounts/bank_settlement:operator:USD/entries`),
    read("trial balance", `${ledger}/trial-balance`, "manager", "report"),
    read("trial balance of yesterday", `${ledger}/trial-balance?at=${dayOf(1)}`, "manager", "report"),
    read("ledger verifications", `${ledger}/verifications`),
  ];
}

function oversightCalls(read: Read): Measured[] {
  const reports = `${v6}/admin/reports`;
  return [
    read("call-over of a day", `${reports}/call-over?date=${dayOf(40)}`, "manager", "report"),
    read("analytics of a day", `${reports}/analytics?from=${dayOf(40)}&to=${dayOf(40)}`, "manager", "report"),
    read("analytics of a week", `${reports}/analytics?from=${dayOf(46)}&to=${dayOf(40)}`, "manager", "report"),
    read("work queues", `${v6}/admin/work-queues`),
    read("approvals", `${v6}/admin/approvals`),
    read("reviews", `${compliance}/reviews`),
    read("overrides", `${compliance}/overrides`),
    read("audit", `${compliance}/audit`),
    read("cases", `${compliance}/cases`),
    read("screenings", `${compliance}/screenings`),
    read("screenings, IN_REVIEW", `${compliance}/screenings?status=IN_REVIEW`),
    read("events", `${v6}/admin/events`),
    read("events, a type that none has", `${v6}/admin/events?type=loan.*`),
    read("events of an hour", `${v6}/admin/events?from=${momentOf(1 / 24)}`),
    read("events of an hour, a type that few have", `${v6}/admin/events?from=${momentOf(1)}&type=transaction.created`),
  ];
}

function postingCalls(tenant: Tenant, wallet: Wallet): Measured[] {
  return [
    { name: "create a transaction", kind: "posting", run: () => createTransaction(tenant) },
    {
      name: "pay a wallet",
      kind: "posting",
      run: () =>
        pay(tenant, wallet, { payableType: "WALLET_CUSTOMER", payAbleId: wallet.payee!, totalCheckOutAmount: 0.01 }),
    },
  ];
}
