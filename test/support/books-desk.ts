import { randomUUID } from "node:crypto";
import { approveShown } from "./approve-shown.js";
import { createEdgeClient, demoUser, services, type Demo, type EdgeAnswer } from "./edge-client.js";
import { waitFor } from "./index.js";

const books = `${services}/admin/books`;

export interface PostedLine {
  accountId: string;
  side: "DEBIT" | "CREDIT";
  amount: string;
  currency: string;
}

/** Two managers of a tenant of the demo with its books before them, and an account at a bank. */
export async function openBooksDesk(demo: Demo, tenant: number, currency: string) {
  const { host } = demo.tenants[tenant]!;
  const signedIn = async (user: ReturnType<typeof demoUser>) => {
    const client = createEdgeClient(demo.baseUrl, host);
    expect(await client.login(user)).toMatchObject({ status: 200 });
    return client;
  };
  const first = await signedIn(demoUser(demo, "MANAGER", { tenant }));
  const second = await signedIn(demoUser(demo, "MANAGER", { tenant, email: "manager2" }));

  const post = (path: string, body: object = {}, key: string = randomUUID()): Promise<EdgeAnswer> =>
    first.send("POST", `${books}/${path}`, { headers: { "x-idempotency-key": key }, body });

  /** Below the books, or an own path of the edge. */
  async function read(path: string) {
    const answer = await first.send("GET", path.startsWith("/") ? path : `${books}/${path}`);
    expect([path, answer.status, answer.text]).toEqual([path, 200, expect.any(String)]);
    return answer.body.data;
  }

  async function open(code: "own_bank" | "operating_expense", name: string): Promise<string> {
    const answer = await post("accounts", { code, currency, name });
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    return answer.body.data.accountId;
  }

  const today: string = (await read("periods")).today;
  const bank = await open("own_bank", "Chase operating");

  /** Once it is posted, or refused. */
  const ended = (path: string) =>
    waitFor(
      async () => {
        const found = await read(path);
        return ["POSTED", "REFUSED"].includes(found.status) ? found : undefined;
      },
      { timeoutMs: 20_000, everyMs: 100, what: `${path} to be posted` },
    );

  /** Nobody agrees to what they asked for; the other manager does. */
  async function agree(approvalId: string): Promise<void> {
    expect((await approveShown(first, approvalId, { reason: "as agreed" })).status).toBe(403);
    expect((await approveShown(second, approvalId, { reason: "as agreed" })).status).toBe(200);
  }

  const propose = (terms: { amount: string } & Record<string, unknown>): Promise<EdgeAnswer> =>
    post("settlements", {
      currency,
      cost: { amount: terms.amount, currency },
      valueDate: today,
      bankAccountId: bank,
      reference: randomUUID(),
      ...terms,
    });

  async function enter(body: object, key?: string): Promise<void> {
    const { status, body: answer } = await post("journals", body, key);
    expect([status, answer.data?.status, answer.code]).toEqual([202, "PROPOSED", undefined]);
    const { journalId, approvalId } = answer.data;
    await agree(approvalId);
    expect(await ended(`journals/${journalId}`)).toMatchObject({ status: "POSTED" });
  }

  return {
    first,
    second,
    today,
    bank,
    post,
    read,
    open,
    agree,
    propose,

    /** Proposed by one, approved by the other, and posted by the ledger. */
    async settle(terms: Parameters<typeof propose>[0]) {
      const { status, body } = await propose(terms);
      expect([status, body.data?.approvalStatus, body.code]).toEqual([202, "PENDING", undefined]);
      const { settlementId, approvalId } = body.data.settlement;
      await agree(approvalId);
      return ended(`settlements/${settlementId}`);
    },

    /** Lines are debits where they are above zero. */
    journal: (lines: readonly PostedLine[], valueDate = today) => ({ lines, valueDate, reason: "As the paper says" }),
    line: (accountId: string, side: PostedLine["side"], amount: string): PostedLine => ({
      accountId,
      side,
      amount,
      currency,
    }),
    enter,

    /** By the sides that the chart has. */
    async balance(accountId: string): Promise<string> {
      const { accounts } = await read(`${services}/ledger/accounts?size=100&currency=${currency}`);
      return accounts.find((one: { accountId: string }) => one.accountId === accountId)?.balance ?? "0.00";
    },

    /** The only one of its code in the currency. */
    accountOf: (code: string): Promise<string> =>
      waitFor(
        async () => {
          const { accounts } = await read(`${services}/ledger/accounts?code=${code}&currency=${currency}`);
          return accounts[0]?.accountId as string | undefined;
        },
        { timeoutMs: 20_000, everyMs: 100, what: `an account of ${code}` },
      ),
  };
}
