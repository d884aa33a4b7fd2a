import { randomUUID } from "node:crypto";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createBreakers } from "../../../platform/partners/breakers.js";
import type { MadeCall } from "../../../platform/partners/sender.js";
import { runMigrations } from "../../../kernel/mongo/migrations.js";
import {
  bankConfiguration,
  ourIban,
  startFileBanks,
  statement,
  type FileBank,
} from "../../../../test/support/file-bank.js";
import { samplePartiesOf } from "../../../../test/support/order-parties.js";
import { silentLog, testDatabase, type TestDatabase } from "../../../../test/support/index.js";
import type { PartnerStatementLine } from "../../domain/reconcile.js";
import { createRemittanceStore, type RemittanceStore } from "../../store/index.js";
import { migrations } from "../../store/migrations.js";
import type { PayoutOrder } from "../payout-connector.js";
import { checkBank } from "./checks.js";
import { bankConfigurationOf } from "./configuration.js";
import { createFileConnector } from "./connector.js";
import { createBankFolders } from "./folders.js";
import { readInbox } from "./inbox.js";
import { bankIdOf } from "./names.js";
import { createSchemaValidation } from "./schemas.js";

jest.setTimeout(180_000);

type Banks = Awaited<ReturnType<typeof startFileBanks>>;
type Folders = ReturnType<ReturnType<typeof createBankFolders>["of"]>;

let database: TestDatabase;
let store: RemittanceStore;
let banks: Banks;
let bank: FileBank;
let tenantId: string;
let installationId: string;
let made: MadeCall[];
let now: Date;
const validate = createSchemaValidation();

beforeAll(async () => {
  database = await testDatabase("bank_files");
  await runMigrations(database.db, migrations, silentLog);
  store = createRemittanceStore(database.db);
  banks = await startFileBanks();
});
beforeEach(async () => {
  tenantId = `t${randomUUID().slice(0, 8)}`;
  installationId = randomUUID();
  bank = banks.of(installationId);
  made = [];
  now = new Date("2026-11-24T10:00:00Z");
  await createBankFolders(banks.root).of(installationId, marks()).check();
});
afterAll(async () => {
  await database.close();
  await banks.stop();
});

const marks = () => store.forTenant(tenantId).bankFiles;

function partsOf(change: { store?: RemittanceStore; folders?: Folders; root?: string | undefined } = {}) {
  const root = "root" in change ? change.root : banks.root;
  return {
    tenantId,
    installationId,
    configuration: bankConfigurationOf(bankConfiguration),
    store: change.store ?? store,
    folders: change.folders ?? createBankFolders(root).of(installationId, marks()),
    validate,
    clock: { now: () => now },
    timeZoneOf: async () => "UTC",
    log: silentLog,
    onCall: (one: MadeCall) => void made.push(one),
    restMs: 0,
  };
}
const connectorOf = (change: Parameters<typeof partsOf>[0] = {}) =>
  createFileConnector({ ...partsOf(change), breakers: createBreakers() });
const read = (more: { maxBytes?: number; restMs?: number } = {}) => readInbox({ ...partsOf(), ...more });
const call = () => ({ tenantId });
const eur = (minor: bigint) => ({ minor, currency: "EUR" });

function order(part: Partial<PayoutOrder> = {}): PayoutOrder {
  const creditParty = [
    { key: "accountholdername", value: "Ngozi Okafor" },
    { key: "bankaccountno", value: ourIban },
    { key: "swiftbic", value: "COBADEFFXXX" },
  ];
  return { reference: randomUUID(), amount: eur(1_000n), method: "ACCOUNTPAYMENT", creditParty, ...part };
}

async function submitted(part: Partial<PayoutOrder> = {}) {
  const one = order(part);
  await connectorOf().submit(one, call());
  return { order: one, id: bankIdOf(one.reference), find: () => connectorOf().find(one.reference, call()) };
}

async function linesOf(range: { from?: Date; to?: Date } = {}): Promise<PartnerStatementLine[]> {
  const lines: PartnerStatementLine[] = [];
  for await (const line of connectorOf().statement(range, call())) lines.push(line);
  return lines;
}

/** As if the process had been killed there, the first time. */
function cut<Name extends "handOver" | "discard">(name: Name): Folders {
  const folders = createBankFolders(banks.root).of(installationId, marks());
  let isCut = false;
  return {
    ...folders,
    [name]: async (...given: [string, string]) => {
      if (isCut) return (folders[name] as (...all: [string, string]) => Promise<void>)(...given);
      isCut = true;
      throw new Error("killed");
    },
  };
}

describe("a submission", () => {
  test("is one file that is named by its reference, and known afterwards, whatever the bank does with the file", async () => {
    const one = await submitted();
    expect(await bank.list("out")).toEqual([`pain.001.001.09-${one.id}.xml`]);
    const [file] = await bank.take();
    expect(file).toMatchObject({
      messageId: one.id,
      transfers: [{ endToEndId: one.id, amount: "10.00", account: ourIban }],
    });
    await connectorOf().submit(one.order, call());
    expect(await bank.take()).toEqual([]);
    expect(await one.find()).toEqual({ status: "ACCEPTED", reason: "", amount: eur(1_000n) });
    expect(await bank.list("work")).toEqual([]);
  });

  test("under a reference that has another amount is refused", async () => {
    const one = await submitted();
    const other = connectorOf().submit({ ...one.order, amount: eur(1n) }, call());
    await expect(other).rejects.toMatchObject({ code: "STATE_CONFLICT" });
  });

  test("of what no file can have is refused and written nowhere", async () => {
    const cash = order({ method: "CASH_PICKUP" });
    expect(await connectorOf().submit(cash, call())).toMatchObject({ status: "REFUSED" });
    expect(await bank.list("out")).toEqual([]);
    expect(await connectorOf().find(cash.reference, call())).toBeUndefined();
  });

  test("by several replicas at once is one file", async () => {
    const one = order();
    const answers = await Promise.allSettled([1, 2, 3, 4, 5, 6].map(() => connectorOf().submit(one, call())));
    expect(answers.some(({ status }) => status === "fulfilled")).toBe(true);
    await connectorOf().submit(one, call());
    expect(await bank.take()).toHaveLength(1);
    expect(await bank.list("work")).toEqual([]);
  });

  test("that was cut off before it was recorded is made again", async () => {
    const failing = { ...store, transaction: () => Promise.reject(new Error("killed")) } as unknown as RemittanceStore;
    const one = order();
    await expect(connectorOf({ store: failing }).submit(one, call())).rejects.toThrow("killed");
    expect(await connectorOf().find(one.reference, call())).toBeUndefined();
    expect([await bank.list("work"), await bank.list("out")]).toEqual([[expect.any(String)], []]);
    await connectorOf().submit(one, call());
    expect(await bank.take()).toHaveLength(1);
  });

  test.each(["find", "submit", "recall"] as const)(
    "that was cut off after it was recorded is seen by the bank once, by the next %s",
    async (next) => {
      const one = order();
      await expect(connectorOf({ folders: cut("handOver") }).submit(one, call())).rejects.toThrow("killed");
      expect(await bank.list("out")).toEqual([]);
      const again = connectorOf();
      const answer = next === "submit" ? again.submit(one, call()) : again[next](one.reference, call());
      expect(await answer).toMatchObject({ status: "ACCEPTED" });
      expect(await bank.take()).toHaveLength(1);
    },
  );

  test("that was cut off after the bank took the file is not written again", async () => {
    const one = order();
    const forgetting = new Proxy(store, {
      get: (target, key, receiver) =>
        key === "forTenant"
          ? (of: string) => {
              const tenant = target.forTenant(of);
              const setHandedOver = () => Promise.reject(new Error("killed"));
              return { ...tenant, bankFiles: { ...tenant.bankFiles, setHandedOver } };
            }
          : Reflect.get(target, key, receiver),
    });
    await expect(connectorOf({ store: forgetting }).submit(one, call())).rejects.toThrow("killed");
    expect(await bank.take()).toHaveLength(1);
    expect(await connectorOf().submit(one, call())).toMatchObject({ status: "ACCEPTED" });
    expect(await bank.take()).toEqual([]);
  });

  test("waits where the operator has named no directory, or it is not there", async () => {
    for (const root of [undefined, `${banks.root}/gone`]) {
      const none = connectorOf({ root });
      await expect(none.submit(order(), call())).rejects.toMatchObject({ code: "UNAVAILABLE" });
    }
    expect(made.map(({ outcome, status }) => [outcome, status])).toEqual([
      ["UNKNOWN", 0],
      ["UNKNOWN", 0],
    ]);
  });
});

describe("an order of which the policy asks members", () => {
  const { purpose = "" } = samplePartiesOf("0f8fad5bd9cb469fa16570867728950e");
  const asked = (part: object = {}) =>
    order({ parties: samplePartiesOf("0f8fad5bd9cb469fa16570867728950e"), askedMembers: ["PURPOSE"], ...part });
  const configured = (purposes: Record<string, string>) => {
    const configuration = bankConfigurationOf({ ...bankConfiguration, purposes });
    return createFileConnector({ ...partsOf(), configuration, breakers: createBreakers() });
  };

  test("is in no file, alone or with others, while the bank's configuration has no place for them", async () => {
    expect(purpose).not.toBe("");
    const [one, free] = [asked(), order()];
    const [unmapped, mapped] = [configured({}), configured({ [purpose]: "FAMI" })];
    await expect(unmapped.submit(one, call())).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await unmapped.submitBatch("batch-1", [one, free], call());
    expect((await bank.take()).flatMap(({ transfers }) => transfers)).toMatchObject([
      { endToEndId: bankIdOf(free.reference) },
    ]);
    expect(await unmapped.find(one.reference, call())).toBeUndefined();
    expect(await mapped.submit(one, call())).toMatchObject({ status: "ACCEPTED" });
    const [file] = await bank.take();
    expect(file!.text).toContain("<Purp><Cd>FAMI</Cd></Purp>");
    // It lies there already, whatever is configured since.
    expect(await unmapped.submit(one, call())).toMatchObject({ status: "ACCEPTED" });
  });

  test("without its parties is in none", async () => {
    const { parties: _parties, ...bare } = asked();
    await expect(configured({}).submit(bare, call())).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(await bank.take()).toEqual([]);
  });
});

describe("a batch", () => {
  test("is one file; again with fewer or more only what is new goes out", async () => {
    const [a, b, c] = [order(), order({ amount: eur(1n) }), order()];
    await connectorOf().submitBatch("batch", [a, b], call());
    await connectorOf().submitBatch("batch", [a], call());
    expect((await bank.take()).map(({ transfers }) => transfers.length)).toEqual([2]);
    await connectorOf().submitBatch("batch", [a, b, c], call());
    const [file] = await bank.take();
    expect(file?.transfers.map(({ endToEndId }) => endToEndId)).toEqual([bankIdOf(c.reference)]);
    expect(await connectorOf().find(b.reference, call())).toMatchObject({ status: "ACCEPTED", amount: eur(1n) });
  });

  test("leaves out what no file can have", async () => {
    const [one, cash] = [order(), order({ method: "MOBILE_MONEY" })];
    await connectorOf().submitBatch("batch", [one, cash], call());
    expect((await bank.take()).map(({ transfers }) => transfers.length)).toEqual([1]);
    expect(await connectorOf().submit(cash, call())).toMatchObject({ status: "REFUSED" });
  });

  test("is not stopped by an order whose names no file has room for", async () => {
    const parties = samplePartiesOf("0f8fad5bd9cb469fa16570867728950e");
    const originator = { ...parties.originator, name: "щ".repeat(60) };
    const [one, long] = [order({ parties }), order({ parties: { ...parties, originator } })];
    await connectorOf().submitBatch("batch", [one, long], call());
    const ids = (await bank.take()).flatMap(({ transfers }) => transfers.map(({ endToEndId }) => endToEndId));
    expect(ids).toEqual([bankIdOf(one.reference)]);
    expect(await connectorOf().submit(long, call())).toEqual({
      status: "REFUSED",
      reason: "the originator's name takes 240 characters, and a file has 70 of them",
      amount: long.amount,
    });
  });

  test("by two replicas at once, of which each has another member, hands over each once", async () => {
    const [a, b, c] = [order(), order(), order()];
    const both = [
      [a, b],
      [b, c],
    ].map((some) => connectorOf().submitBatch("batch", some, call()));
    await Promise.allSettled(both);
    await connectorOf().submitBatch("batch", [a, b, c], call());
    const ids = (await bank.take()).flatMap(({ transfers }) => transfers.map(({ endToEndId }) => endToEndId));
    expect(ids.toSorted()).toEqual([a, b, c].map(({ reference }) => bankIdOf(reference)).toSorted());
  });
});

describe("a recall", () => {
  test("of what never came keeps it from ever being written", async () => {
    const one = order();
    expect(await connectorOf().recall(one.reference, call())).toEqual({ status: "RECALLED", reason: "" });
    expect(await connectorOf().submit(one, call())).toEqual({ status: "RECALLED", reason: "" });
    expect(await connectorOf().recall(one.reference, call())).toEqual({ status: "RECALLED", reason: "" });
    expect(await bank.list("out")).toEqual([]);
  });

  test("of what the bank has says what has become of it", async () => {
    const one = await submitted();
    expect(await connectorOf().recall(one.order.reference, call())).toMatchObject({ status: "ACCEPTED" });
    await bank.report(one.id, [{ endToEndId: one.id, status: "ACSC" }]);
    await read();
    expect(await connectorOf().recall(one.order.reference, call())).toMatchObject({ status: "PAID" });
  });
});

describe("a status report", () => {
  test.each(["03", "10"])(
    "of version %s pays, refuses with the reason, and leaves the rest accepted",
    async (version) => {
      const [paid, refused, waiting] = [await submitted(), await submitted(), await submitted()];
      const reports = [
        { endToEndId: paid.id, status: version === "03" ? "ACSC" : "ACCC" },
        { endToEndId: refused.id, status: "RJCT", reason: "AC04" },
        { endToEndId: waiting.id, status: "ACSP" },
        { endToEndId: "somebody-elses", status: "RJCT" },
      ];
      await bank.report("M", reports, { version });
      expect(await read()).toHaveLength(3);
      expect(await paid.find()).toMatchObject({ status: "PAID", amount: eur(1_000n) });
      expect(await refused.find()).toMatchObject({ status: "REFUSED", reason: "AC04: the account is closed" });
      expect(await waiting.find()).toMatchObject({ status: "ACCEPTED" });
      expect([await bank.list("in"), (await bank.list("done")).length]).toEqual([[], 1]);
    },
  );

  test("of a whole message counts for those of it that have no line of their own", async () => {
    const [a, b] = [order(), order()];
    await connectorOf().submitBatch("batch", [a, b], call());
    const [file] = await bank.take();
    const own = { endToEndId: bankIdOf(a.reference), status: "PDNG" };
    await bank.report(file!.messageId, [own], { group: "RJCT" });
    await read();
    expect(await connectorOf().find(a.reference, call())).toMatchObject({ status: "ACCEPTED" });
    expect(await connectorOf().find(b.reference, call())).toMatchObject({ status: "REFUSED", reason: "RJCT" });
  });
});

describe("a refusal of a copy", () => {
  const copy = "refused a copy of it, AM05: the bank takes it for a duplicate";
  test.each<[string, (id: string, messageId: string) => Promise<unknown>]>([
    ["transaction", (id, message) => bank.report(message, [{ endToEndId: id, status: "RJCT", reason: "AM05" }])],
    ["payment", (_id, message) => bank.report(message, [], { payment: "CANC", reason: "AM05" })],
    ["group", (_id, message) => bank.report(message, [], { group: "RJCT", reason: "AM05" })],
  ])("ends nothing at the level of the %s, and what the bank says later does", async (_level, say) => {
    const one = await submitted();
    await say(one.id, one.id);
    await read();
    expect(await one.find()).toEqual({ status: "ACCEPTED", reason: "", amount: eur(1_000n), unclear: copy });
    await bank.statement([{ endToEndId: one.id, amount: "10.00", currency: "EUR", kind: "DEBIT" }]);
    await read();
    expect(await one.find()).toEqual({ status: "PAID", reason: "", amount: eur(1_000n) });
  });

  test.each(["DU01", "DU02", "DU03", "DU04", "DU05"])("by %s ends nothing", async (reason) => {
    const one = await submitted();
    await bank.report(one.id, [{ endToEndId: one.id, status: "RJCT", reason }]);
    await read();
    expect(await one.find()).toMatchObject({ status: "ACCEPTED", unclear: expect.stringContaining(reason) });
  });

  test.each<[string, string]>([
    ["ACTC", "REFUSED"],
    ["ACCP", "REFUSED"],
    ["ACSP", "ACCEPTED"],
    ["ACWC", "ACCEPTED"],
    ["ACSC", "PAID"],
    ["ACCC", "PAID"],
  ])("a refusal after %s leaves it %s", async (before, status) => {
    const one = await submitted();
    for (const report of [{ status: before }, { status: "RJCT", reason: "AC04" }]) {
      await bank.report(one.id, [{ endToEndId: one.id, ...report }]);
      await read();
    }
    const found = await one.find();
    expect(found).toMatchObject({ status });
    expect(found?.unclear === undefined).toBe(status === "REFUSED");
  });
});

describe("a statement", () => {
  test("pays what is booked, returns what came back, and has each entry as a line", async () => {
    const [paid, back] = [await submitted(), await submitted()];
    await bank.statement([
      { endToEndId: paid.id, amount: "10", currency: "EUR", kind: "DEBIT" },
      { endToEndId: back.id, amount: "10.00", currency: "EUR", kind: "DEBIT" },
      { endToEndId: back.id, amount: "9.50", currency: "EUR", kind: "RETURN", reason: "AC01" },
      { endToEndId: "NOTPROVIDED", amount: "5.00", currency: "EUR", kind: "DEBIT" },
    ]);
    await read();
    expect(await paid.find()).toMatchObject({ status: "PAID" });
    expect(await back.find()).toEqual({
      status: "RETURNED",
      reason: "AC01: the account number is wrong",
      amount: eur(1_000n),
      kept: eur(50n),
    });
    const at = now;
    expect(await linesOf()).toEqual([
      { reference: paid.order.reference, kind: "PAYOUT", amount: eur(1_000n), at },
      { reference: back.order.reference, kind: "PAYOUT", amount: eur(1_000n), at },
      { reference: back.order.reference, kind: "RETURN", amount: eur(950n), at },
    ]);
    expect(await linesOf({ from: new Date(at.getTime() + 1) })).toEqual([]);
    expect(await linesOf({ to: at })).toEqual([]);
  });

  test("of an entry with one transaction counts what the entry moved, whatever its details say", async () => {
    const [back, debited] = [await submitted(), await submitted()];
    const eurOf = { currency: "EUR" } as const;
    await bank.statement([
      { endToEndId: back.id, amount: "10.00", ...eurOf, kind: "DEBIT" },
      { endToEndId: back.id, amount: "8.50", txAmount: "9.00", ...eurOf, kind: "RETURN" },
      { endToEndId: debited.id, amount: "9.00", txAmount: "10.00", ...eurOf, kind: "DEBIT" },
    ]);
    await read();
    expect(await back.find()).toMatchObject({ status: "RETURNED", kept: eur(150n) });
    expect(await debited.find()).toMatchObject({ status: "ACCEPTED", unclear: expect.stringContaining("9.00 EUR") });
    expect((await linesOf()).map(({ amount }) => amount)).toEqual([eur(1_000n), eur(850n), eur(900n)]);
  });

  test("of an entry with several transactions counts each one's amount where they add up, and else waits for a person", async () => {
    const some = [await submitted(), await submitted({ amount: eur(500n) })];
    const details = (amounts: readonly string[], txCurrency = "EUR") =>
      some.map(({ id }, index) => ({ endToEndId: id, amount: "", txAmount: amounts[index]!, txCurrency }));
    // What was read in one moment has no order.
    const readLater = () => {
      now = new Date(now.getTime() + 1_000);
      return read();
    };
    const debit = { amount: "15.00", currency: "EUR", kind: "DEBIT" } as const;
    for (const parts of [details(["10.00", "4.99"]), details(["10.00", "5.00"], "USD")]) {
      await bank.statement([{ ...debit, details: parts }]);
      await readLater();
      for (const one of some) {
        expect(await one.find()).toMatchObject({
          status: "ACCEPTED",
          unclear: expect.stringContaining("does not tell"),
        });
      }
    }
    expect(await linesOf()).toEqual([]);
    await bank.statement([{ ...debit, details: details(["10.00", "5.00"]) }]);
    await readLater();
    expect(await some[0]!.find()).toEqual({ status: "PAID", reason: "", amount: eur(1_000n) });
    expect(await some[1]!.find()).toEqual({ status: "PAID", reason: "", amount: eur(500n) });
  });

  test("with an amount that is none leaves ours to a person, and others' entries alone", async () => {
    const [one, odd] = [await submitted(), await submitted()];
    const debit = { amount: "10.00", currency: "EUR", kind: "DEBIT" } as const;
    await bank.statement([
      { ...debit, endToEndId: "NOTPROVIDED", amount: "5.001" },
      { ...debit, endToEndId: "SOMEBODY-ELSE", currency: "CNH" },
      { ...debit, endToEndId: odd.id, amount: "10.001" },
      { ...debit, endToEndId: one.id },
    ]);
    await read();
    expect(await bank.list("failed")).toEqual([]);
    expect(await one.find()).toMatchObject({ status: "PAID" });
    expect(await odd.find()).toMatchObject({ status: "ACCEPTED", unclear: expect.stringContaining("does not tell") });
  });

  test("has a payment at the time at which the bank said first that it paid", async () => {
    const one = await submitted();
    const first = now;
    await bank.report(one.id, [{ endToEndId: one.id, status: "ACSC" }]);
    await read();
    now = new Date(now.getTime() + 86_400_000);
    await bank.statement([{ endToEndId: one.id, amount: "10.00", currency: "EUR", kind: "DEBIT" }]);
    await read();
    expect((await linesOf()).map(({ at }) => at)).toEqual([first]);
  });

  test("has an entry once that the bank lists in two, and a second payment twice", async () => {
    const one = await submitted();
    const entry = { endToEndId: one.id, amount: "10.00", currency: "EUR", kind: "DEBIT" } as const;
    await bank.statement([{ ...entry, reference: "A1" }]);
    await read();
    await bank.statement([{ ...entry, reference: "A1" }]);
    await read();
    expect(await linesOf()).toHaveLength(1);
    await bank.statement([{ ...entry, reference: "A2" }]);
    await read();
    expect(await linesOf()).toHaveLength(2);
  });

  test("with one entry of a batch pays all of it, unless the sum is another one", async () => {
    const some = [order(), order({ amount: eur(1n) })];
    await connectorOf().submitBatch("batch", some, call());
    const messageId = (await bank.take())[0]!.messageId;
    await bank.statement([{ messageId, amount: "10.00", currency: "EUR", kind: "DEBIT" }]);
    await read();
    expect(await linesOf()).toEqual([]);
    await bank.statement([{ messageId, amount: "10.01", currency: "EUR", kind: "DEBIT" }]);
    await read();
    expect((await linesOf()).map(({ amount }) => amount.minor).toSorted()).toEqual([1n, 1_000n]);
  });

  test("with one entry of a batch pays those that were not refused before", async () => {
    const [a, b, c] = [order(), order({ amount: eur(1n) }), order({ amount: eur(500n) })];
    await connectorOf().submitBatch("batch", [a, b, c], call());
    const messageId = (await bank.take())[0]!.messageId;
    await bank.report(messageId, [{ endToEndId: bankIdOf(c.reference), status: "RJCT", reason: "AC04" }]);
    await read();
    await bank.statement([{ messageId, amount: "10.01", currency: "EUR", kind: "DEBIT" }]);
    await read();
    const found = await Promise.all([a, b, c].map(({ reference }) => connectorOf().find(reference, call())));
    expect(found).toMatchObject([
      { status: "PAID", amount: eur(1_000n) },
      { status: "PAID", amount: eur(1n) },
      { status: "REFUSED", amount: eur(500n) },
    ]);
  });

  test.each([
    ["JPY", 1_000n, "1000.00"],
    ["KWD", 1_234n, "1.234"],
    ["EUR", 30n, "0.3"],
    ["EUR", 900_719_925_474_099_301n, "9007199254740993.01"],
  ])("in %s is exact: %s is %s", async (currency, minor, amount) => {
    const one = await submitted({ amount: { minor, currency } });
    await bank.statement([{ endToEndId: one.id, amount, currency, kind: "DEBIT" }]);
    await read();
    expect((await linesOf()).map((line) => line.amount)).toEqual([{ minor, currency }]);
    expect(await one.find()).toMatchObject({ status: "PAID", amount: { minor, currency } });
  });

  test("with 10,000 entries is read as a whole", async () => {
    const one = await submitted();
    const entry = { amount: "10.00", currency: "EUR", kind: "DEBIT" } as const;
    const others = Array.from({ length: 9_999 }, (_, each) => ({ ...entry, endToEndId: `other-${each}` }));
    await bank.statement([...others, { ...entry, endToEndId: one.id }]);
    expect(await read()).toHaveLength(1);
    expect(await one.find()).toMatchObject({ status: "PAID" });
  });
});

describe("a file", () => {
  const debit = (id: string) => [{ endToEndId: id, amount: "10.00", currency: "EUR", kind: "DEBIT" }] as const;

  test("counts once by its bytes, and another one under its number not at all", async () => {
    const [one, other] = [await submitted(), await submitted()];
    const text = statement(debit(one.id), { id: "S-1" });
    await bank.put(text, "first.xml");
    await bank.put(text, "second.xml");
    await read();
    expect(await linesOf()).toHaveLength(1);
    await bank.put(text, "third.xml");
    await bank.put(statement(debit(other.id), { id: "S-1" }), "other.xml");
    await read();
    expect(await linesOf()).toHaveLength(1);
    expect(await other.find()).toMatchObject({ status: "ACCEPTED" });
    expect([(await bank.list("done")).length, (await bank.list("failed")).length]).toEqual([3, 1]);
  });

  test("read by several replicas at once counts once", async () => {
    const one = await submitted();
    await bank.statement(debit(one.id));
    await Promise.all([read(), read(), read()]);
    expect(await linesOf()).toHaveLength(1);
    expect([await bank.list("in"), (await bank.list("done")).length]).toEqual([[], 1]);
  });

  test("of which a crash has left a part counts for nothing, and as a whole once it is read", async () => {
    const one = await submitted();
    const report = { installationId, fileId: "f", line: 0, reference: one.order.reference, kind: "DEBIT" } as const;
    const entry = { ...report, amount: eur(1_000n), entryReference: "", reason: "", readAt: now, at: now };
    const { bankFiles } = store.forTenant(tenantId);
    await bankFiles.addReports([entry]);
    expect(await one.find()).toMatchObject({ status: "ACCEPTED" });
    expect(await linesOf()).toEqual([]);
    await bankFiles.addReports([entry, { ...entry, line: 1, kind: "RETURN" }]);
    const file = {
      installationId,
      fileId: "f",
      fileName: "f.xml",
      kind: "camt.053.001.08",
      messageId: "S",
      reason: "",
    };
    await bankFiles.insertFile({ ...file, state: "READ", at: now });
    expect(await one.find()).toMatchObject({ status: "RETURNED", kept: eur(0n) });
    expect(await linesOf()).toHaveLength(2);
  });

  const bomb = `<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">&b;</Document>`;
  const outside = `<?xml version="1.0"?><!DOCTYPE l SYSTEM "file:///etc/passwd"><Document/>`;
  test.each<[string, (id: string) => string | Buffer, string]>([
    ["that is cut", (id) => statement(debit(id), { id: "S" }).slice(0, -60), "is no XML"],
    ["that declares entities", () => bomb, "has a document type"],
    ["that names another file", () => outside, "has a document type"],
    ["of another kind", () => '<Document xmlns="urn:x"/>', "is of the kind urn:x"],
    [
      "that its schema does not allow",
      (id) => statement(debit(id), { id: "S" }).replace("BOOK", "BOOKED"),
      "is not valid",
    ],
    [
      "of another account",
      (id) => statement(debit(id), { id: "S", iban: "GB82WEST12345698765432" }),
      "no statement of the",
    ],
    ["of no UTF-8", () => Buffer.from([0x3c, 0xff, 0xfe]), "has bytes that are no UTF-8"],
    ["in another encoding", () => '<?xml version="1.0" encoding="ISO-8859-1"?><a/>', "is not written in UTF-8"],
    ["that is empty", () => "", "has no element in its first 32768 characters"],
    [
      "whose root has 200,000 attributes",
      (id) =>
        statement(debit(id), { id: "S" }).replace(
          "<c:Document",
          `<c:Document ${Array.from({ length: 200_000 }, (_, each) => `a${each}="1"`).join(" ")}`,
        ),
      "has an element of more than 32 attributes",
    ],
    [
      "with a tag that does not end",
      (id) => statement(debit(id), { id: "S" }).replace("<c:Document", `<Document a="${"1".repeat(9_000)}"`),
      "has a tag of more than 8192 bytes",
    ],
    [
      "with a text that does not end",
      (id) => statement(debit(id), { id: "S" }).replace("BOOK", "B".repeat(70_000)),
      "has a text of more than 65536 bytes",
    ],
    [
      "that is nested without end",
      (id) => statement(debit(id), { id: "S" }).replace("BOOK", "<a>".repeat(200_000)),
      "is nested deeper than 64 elements",
    ],
  ])("%s goes to failed/ with a reason, and counts for nothing", async (_what, contentOf, reason) => {
    const one = await submitted();
    const name = await bank.put(contentOf(one.id));
    made = [];
    expect(await read()).toEqual([]);
    expect([await bank.list("in"), (await bank.list("failed")).length]).toEqual([[], 1]);
    expect(await one.find()).toMatchObject({ status: "ACCEPTED" });
    expect(made[0]).toMatchObject({ operation: "read-file", reference: name, outcome: "REFUSED", status: 422 });
    const [file] = await store.forTenant(tenantId).bankFiles.listFiles(installationId, 1);
    expect(file).toMatchObject({ state: "FAILED", fileName: name });
    expect(file?.reason).toContain(reason);
  });

  test("that takes too long is tried three times, then failed, and the others are read meanwhile", async () => {
    const [slow, one, other] = [await submitted(), await submitted(), await submitted()];
    const tooSlow = createSchemaValidation(undefined, 1);
    const readSlowly = () =>
      readInbox({
        ...partsOf(),
        validate: (kind, text) => (text.includes("S-slow") ? tooSlow : validate)(kind, text),
      });
    await bank.put(statement(debit(slow.id), { id: "S-slow" }), "a.xml");
    await bank.put(statement(debit(one.id), { id: "S-1" }), "b.xml");
    expect(await readSlowly()).toHaveLength(1);
    await bank.put(statement(debit(other.id), { id: "S-2" }), "c.xml");
    expect(await readSlowly()).toHaveLength(1);
    expect([await bank.list("in"), await bank.list("failed")]).toEqual([["a.xml"], []]);
    await readSlowly();
    expect([await bank.list("in"), (await bank.list("failed")).length]).toEqual([[], 1]);
    const files = await store.forTenant(tenantId).bankFiles.listFiles(installationId, 3);
    expect(files.find(({ fileName }) => fileName === "a.xml")).toMatchObject({
      state: "FAILED",
      reason: "takes longer than 1 ms to be validated",
    });
    expect(await slow.find()).toMatchObject({ status: "ACCEPTED" });
    // Laid there again, it has three tries again.
    await bank.put(statement(debit(slow.id), { id: "S-slow" }), "again.xml");
    expect(await read()).toHaveLength(1);
  });

  test("that was begun and is not read yet keeps a refusal of a later one from counting", async () => {
    const [paid, refused] = [await submitted(), await submitted()];
    const tooSlow = createSchemaValidation(undefined, 1);
    await bank.put(statement(debit(paid.id), { id: "S-slow" }), "a.xml");
    const reports = [paid, refused].map(({ id }) => ({ endToEndId: id, status: "RJCT", reason: "AC04" }));
    await bank.report(paid.id, reports);
    await readInbox({
      ...partsOf(),
      validate: (kind, text) => (text.includes("S-slow") ? tooSlow : validate)(kind, text),
    });
    const waiting = { status: "ACCEPTED", reason: "", amount: eur(1_000n) };
    expect([await paid.find(), await refused.find()]).toEqual([waiting, waiting]);
    await read();
    const unclear = "paid it after it had refused it";
    expect([await paid.find(), await refused.find()]).toMatchObject([{ ...waiting, unclear }, { status: "REFUSED" }]);
  });

  test("with which three processes ended is failed by the fourth, which does not open it; others wait for nobody", async () => {
    const [one, other] = [await submitted(), await submitted()];
    await bank.put(statement(debit(one.id), { id: "S-1" }), "a.xml");
    const tries = database.db.collection("bank_file_tries");
    for (let process = 0; process < 3; process++) {
      const isReading = Promise.withResolvers<void>();
      const cutOff = () => (isReading.resolve(), new Promise<never>(() => undefined));
      void readInbox({ ...partsOf(), validate: cutOff });
      await isReading.promise;
    }
    // The third may be at it yet.
    expect(await read()).toEqual([]);
    expect(await bank.list("in")).toEqual(["a.xml"]);
    await tries.updateMany({ tenantId }, { $set: { until: new Date(0) } });
    await bank.put(statement(debit(other.id), { id: "S-2" }), "b.xml");
    expect(await read()).toHaveLength(1);
    expect([await bank.list("in"), (await bank.list("failed")).length]).toEqual([[], 1]);
    const files = await store.forTenant(tenantId).bankFiles.listFiles(installationId, 2);
    expect(files.find(({ fileName }) => fileName === "a.xml")?.reason).toBe(
      "could not be read in 3 tries: each was cut off",
    );
    expect(await tries.countDocuments({ tenantId })).toBe(0);
  });

  test("that is too large is not read", async () => {
    const one = await submitted();
    await bank.statement(debit(one.id));
    await read({ maxBytes: 100 });
    expect((await bank.list("failed")).length).toBe(1);
    expect(await one.find()).toMatchObject({ status: "ACCEPTED" });
  });

  test("that was written to just now, a link and what is hidden stay where they are", async () => {
    const one = await submitted();
    await bank.statement(debit(one.id));
    await writeFile(bank.at("secret"), statement(debit(one.id), { id: "L" }));
    await symlink(bank.at("secret"), bank.at("in", "link.xml"));
    await writeFile(bank.at("in", ".hidden.xml"), "x");
    await mkdir(bank.at("in", "folder.xml"));
    await read({ restMs: 60_000 });
    expect(await bank.list("in")).toHaveLength(4);
    await read();
    expect(await bank.list("in")).toEqual([".hidden.xml", "folder.xml", "link.xml"]);
    expect(await linesOf()).toHaveLength(1);
  });
});

describe("the checks", () => {
  const check = async (change: { root?: string | undefined; configuration?: object } = {}) => {
    const parts = "root" in change ? partsOf({ root: change.root }) : partsOf();
    const configuration = bankConfigurationOf({ ...bankConfiguration, ...change.configuration });
    return (await checkBank({ ...parts, configuration })).map(({ result, detail }) => [result, detail]);
  };
  const passed = ["PASSED", ""];

  test("pass, and write nothing that a bank would take", async () => {
    expect(await check()).toEqual([passed, passed, passed, passed]);
    expect([await bank.list("out"), await bank.list("in"), await bank.list("work")]).toEqual([[], [], []]);
  });

  test("fail for an IBAN whose check digits are wrong, and where there is no directory", async () => {
    const [iban] = await check({ configuration: { debtorIban: "DE00370400440532013000" } });
    expect(iban).toEqual(["FAILED", "debtorIban: its check digits are wrong"]);
    const [zone] = await check({ configuration: { timeZone: "Europe/Atlantis" } });
    expect(zone).toEqual(["FAILED", "timeZone: there is no such time zone"]);
    const [, folder] = await check({ root: undefined });
    expect(folder).toEqual(["FAILED", "the operator has named no directory for files of banks"]);
  });

  test("fail for a file that could not be read, until it is put right", async () => {
    const one = await submitted();
    await bank.put("no XML", "day.xml");
    await read();
    const [, , , file] = await check();
    expect(file?.[1]).toContain("day.xml is no XML");
    now = new Date(now.getTime() + 1_000);
    await bank.put(
      statement([{ endToEndId: one.id, amount: "10", currency: "EUR", kind: "DEBIT" }], { id: "S" }),
      "day.xml",
    );
    await read();
    expect(await check()).toEqual([passed, passed, passed, passed]);
    expect(await readFile(bank.at("failed", (await bank.list("failed"))[0]!), "utf8")).toBe("no XML");
  });
});
