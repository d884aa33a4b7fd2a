import { sampleJournalTransfer } from "../../test/gateway/ledger-operations.js";
import { edgeAsManager } from "../../test/gateway/as-manager.js";
import { Refusal } from "../../services/kernel/refusal.js";

const { edge, sent } = edgeAsManager();
const base = "/api/v6/services/ledger";

test("money is exact decimal text, whatever was rolled over or passes int64", async () => {
  const { json } = await sent("readLedgerAccount");
  expect(json.data).toMatchObject({
    meaning: "What customers hold in wallets",
    type: "LIABILITY",
    flags: ["DEBITS_MUST_NOT_EXCEED_CREDITS"],
    balance: "90071992547407.43",
    debitsPosted: "2.60",
    creditsPosted: "90071992547410.03",
    debitsPending: "1.00",
    creditsPending: "0.00",
  });
  const { json: trial } = await sent("readTrialBalance");
  const total = "1000000000000000000.00";
  expect(trial.data.totals).toEqual([{ currency: "USD", debits: total, credits: total }]);
});

test("an account that grows by debits has its balance on that side", async () => {
  const asset = { type: "ACCOUNT_TYPE_ASSET", debitsPostedMinor: 900n, creditsPostedMinor: 1_000n } as const;
  const account = { accountId: "bank", code: "unknown_code", currency: "JPY", createdAt: new Date(), ...asset };
  edge().fakes.ledger.getAccount = async () => ({ account });
  const { json } = await sent("readLedgerAccount");
  expect(json.data).toMatchObject({ balance: "-100", debitsPosted: "900", meaning: "" });
});

test("at a day asks for that day", async () => {
  const day = "2026-11-20";
  const requested: unknown[] = [];
  const { getBalance, getTrialBalance } = edge().fakes.ledger;
  edge().fakes.ledger.getBalance = (request, call) => {
    requested.push(request.effectiveDate);
    return getBalance!(request, call);
  };
  edge().fakes.ledger.getTrialBalance = (request, call) => {
    requested.push(request.effectiveDate);
    return getTrialBalance!(request, call);
  };
  const balance = await sent("readLedgerBalance", { path: `${base}/accounts/w1/balance?at=${day}` });
  const trial = await sent("readTrialBalance", { path: `${base}/trial-balance?at=${day}` });
  expect(requested).toEqual([day, day]);
  expect([balance.json.data.effectiveDate, trial.json.data.effectiveDate]).toEqual([day, day]);
  // These are of now.
  expect(balance.json.data).not.toHaveProperty("sequence");
});

test("without a time they are of now, and name no day", async () => {
  const balance = await sent("readLedgerBalance", { path: `${base}/accounts/w1/balance` });
  expect(balance.json.data).toMatchObject({ balance: "10.00", available: "9.00", sequence: 7 });
  const trial = await sent("readTrialBalance", { path: `${base}/trial-balance` });
  for (const { json } of [balance, trial]) expect(json.data).not.toHaveProperty("effectiveDate");
});

test.each(["yesterday", "2026-02-30", "2026-11-20T10:15:00Z", "20"])("at %s is refused", async (at) => {
  for (const path of [`${base}/accounts/w1/balance?at=${at}`, `${base}/trial-balance?at=${at}`]) {
    const { status, json } = await sent("readTrialBalance", { path });
    expect([status, json.code, json.errors[0].path]).toEqual([400, "INVALID_INPUT", "query.at"]);
  }
});

test.each([
  ["readLedgerAccount", "getAccount", "ACCOUNT_NOT_FOUND"],
  ["readLedgerBalance", "getBalance", "ACCOUNT_NOT_FOUND"],
  ["listLedgerEntries", "listAccountEntries", "ACCOUNT_NOT_FOUND"],
  ["readLedgerTransfer", "getTransfer", "TRANSFER_NOT_FOUND"],
  ["readLedgerVerification", "getVerification", "NOT_FOUND"],
] as const)("%s of another organisation is 404", async (name, rpc, code) => {
  edge().fakes.ledger[rpc] = async () => {
    throw new Refusal(code, "no such thing");
  };
  const { status, json } = await sent(name);
  expect([status, json.code]).toEqual([404, code]);
});

test("a second verification while one runs is 409, and says when to ask again", async () => {
  edge().fakes.ledger.beginVerification = async () => {
    throw new Refusal("STATE_CONFLICT", "a verification of this ledger runs", { retryAfterS: 60 });
  };
  const { status, headers } = await sent("beginLedgerVerification");
  expect([status, headers["retry-after"]]).toEqual([409, "60"]);
});

test("the release of what was past its time can be read by its id", async () => {
  const requested: string[] = [];
  const { getTransfer } = edge().fakes.ledger;
  edge().fakes.ledger.getTransfer = (request, call) => {
    requested.push(request.key);
    return getTransfer!(request, call);
  };
  await sent("readLedgerTransfer", { path: `${base}/transfers/hold-1%23expired` });
  expect(requested).toEqual(["hold-1#expired"]);
});

describe("the export", () => {
  const columns =
    "sequence,transferId,mode,insertedAt,effectiveAt,day,belongsTo,debitAccountId,creditAccountId,currency,amount,debitBalance,creditBalance,kind,description,refersTo,interactionId,createdBy,service,hash";
  const asCsv = { path: `${base}/export?format=csv` };
  const asLines = { path: `${base}/export` };

  /** Pages of so many transfers each, in a journal that grows meanwhile. */
  function play(pages: number, perPage: number) {
    const requested: string[] = [];
    const lastSequence = BigInt(pages * perPage);
    edge().fakes.ledger.listJournalTransfers = async ({ cursor }) => {
      requested.push(cursor);
      const page = Number(cursor || 0);
      // One more came before the last page was read.
      const count = page === pages - 1 ? perPage + 1 : perPage;
      const transfers = Array.from({ length: count }, (_, at) => ({
        ...sampleJournalTransfer,
        sequence: BigInt(page * perPage + at + 1),
      }));
      return { transfers, nextCursor: String(page + 1), lastSequence: page === 0 ? lastSequence : lastSequence + 1n };
    };
    return requested;
  }

  test("as CSV has a line for each transfer, amounts as they are and no formula", async () => {
    const { text, headers } = await sent("exportLedger", asCsv);
    expect(headers["content-type"]).toBe("text/csv; charset=utf-8");
    expect(headers["content-disposition"]).toBe('attachment; filename="ledger.csv"');
    const at = "2026-11-21T10:15:00.000Z";
    const line = `7,t-1,POSTED,${at},${at},2026-11-21,2026-11-20,bank,t-1,USD,10.00,-0.05,10.00,deposit,'=1+1,,i-1,u-1,wallet,${"07".repeat(32)}`;
    expect(text).toBe(`\ufeff${columns}\r\n${line}\r\n`);
  });

  test("as JSON lines ends with how many there were", async () => {
    const { text } = await sent("exportLedger", asLines);
    const lines = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toHaveLength(2);
    expect(Object.keys(lines[0]!).join(",")).toBe(columns);
    expect(lines[0]).toMatchObject({ sequence: "7", amount: "10.00", debitBalance: "-0.05", description: "=1+1" });
    expect(lines[1]).toEqual({ end: { transfers: 1, lastSequence: "7" } });
  });

  test("of nothing is a header line, or an end", async () => {
    edge().fakes.ledger.listJournalTransfers = async () => ({});
    expect((await sent("exportLedger", asCsv)).text).toBe(`\ufeff${columns}\r\n`);
    expect((await sent("exportLedger", asLines)).text).toBe('{"end":{"transfers":0,"lastSequence":"0"}}\n');
  });

  test("goes from page to page, and ends where the journal ended when it began", async () => {
    const requested = play(30, 100);
    const { text } = await sent("exportLedger", asLines);
    const lines = text.trimEnd().split("\n");
    expect(lines).toHaveLength(3_001);
    expect(JSON.parse(lines.at(-1)!)).toEqual({ end: { transfers: 3_000, lastSequence: "3000" } });
    expect(requested).toHaveLength(30);
  });

  test("for an API token has a new access token for each page, since one lives for some minutes only", async () => {
    play(3, 100);
    const pages = edge().fakes.ledger.listJournalTransfers!;
    const seen: unknown[] = [];
    edge().fakes.ledger.listJournalTransfers = async (request, call) => {
      seen.push(call.user?.userId);
      return pages(request, call);
    };
    let exchanges = 0;
    edge().fakes.identity.exchangeApiToken = async (_request, { tenantId }) => {
      const userId = `token-${(exchanges += 1)}`;
      const accessToken = await edge().token({ role: "MANAGER", tenantId, userId, scopes: ["ledger:read"] });
      return { accessToken, expiresInS: 0 };
    };
    const { text } = await edge().send({ path: `${base}/export`, headers: { "X-Auth-Token": "mnl_export" } });
    expect(text.trimEnd().split("\n")).toHaveLength(301);
    expect(seen).toEqual(["token-2", "token-3", "token-4"]);
  });

  test.each(["jsonl", "csv"])(
    "a page of %s that cannot be read breaks the connection: no file that was cut off looks whole",
    async (format) => {
      const requested = play(3, 100);
      const pages = edge().fakes.ledger.listJournalTransfers!;
      edge().fakes.ledger.listJournalTransfers = async (request, call) => {
        if (requested.length === 2) throw new Refusal("NOT_FOUND", "gone");
        return pages(request, call);
      };
      await expect(sent("exportLedger", { path: `${base}/export?format=${format}` })).rejects.toThrow();
      expect(requested).toHaveLength(2);
    },
  );

  test("that is refused is JSON", async () => {
    edge().fakes.ledger.listJournalTransfers = async () => {
      throw new Refusal("FORBIDDEN", "no");
    };
    const { status, json } = await sent("exportLedger", asCsv);
    expect([status, json.code]).toEqual([403, "FORBIDDEN"]);
  });
});
