import { randomUUID } from "node:crypto";
import { silentLog, testDatabase, testTenant, type TestDatabase } from "../../../test/support/index.js";
import { runMigrations } from "../../kernel/mongo/migrations.js";
import type { AgentLinePlace, NewAgentLine } from "../domain/agent-line.js";
import { createWalletStore, type WalletStore } from "./index.js";
import { migrations } from "./migrations.js";

let database: TestDatabase;
let store: WalletStore;
beforeAll(async () => {
  database = await testDatabase("agent_lines");
  await runMigrations(database.db, migrations, silentLog);
  store = createWalletStore(database.db);
});
afterAll(() => database.close());

const commit = (work: Parameters<WalletStore["transaction"]>[0]) => store.transaction(work, async () => undefined);

const lineOf = (part: Partial<NewAgentLine> = {}): NewAgentLine => ({
  lineId: `sale:${randomUUID()}`,
  agentId: "agent",
  currency: "USD",
  kind: "SALE",
  account: "ACCOUNT",
  amountMinor: -102_69n,
  businessDay: "2026-11-30",
  at: new Date("2026-11-30T12:00:00Z"),
  ...part,
});

test("an agent's lines are listed by currency, the newest first, page by page, also those of one moment", async () => {
  const own = store.forTenant(testTenant());
  const at = (second: number) => new Date(Date.UTC(2026, 10, 30, 12, 0, second));
  const lines = [0, 1, 1, 1, 2].map((second, index) => lineOf({ lineId: `sale:${index}`, at: at(second) }));
  const others = [lineOf({ currency: "EUR" }), lineOf({ agentId: "another" })];
  await commit((session) => own.insertAgentLines([...lines, ...others], session));
  const seen: string[] = [];
  let before: AgentLinePlace | undefined;
  for (;;) {
    const page = await own.listAgentLines({ agentId: "agent", currency: "USD" }, before, 2);
    if (page.length === 0) break;
    seen.push(...page.map(({ lineId }) => lineId));
    before = page.at(-1);
  }
  expect(seen).toEqual(["sale:4", "sale:3", "sale:2", "sale:1", "sale:0"]);
  expect(await own.listAgentLines({ agentId: "agent", currency: "EUR" }, undefined, 9)).toEqual([others[0]]);
});

test("a line is there once, of each tenant", async () => {
  const [own, other] = [store.forTenant(testTenant()), store.forTenant(testTenant())];
  const line = lineOf();
  await commit((session) => own.insertAgentLines([line], session));
  await expect(commit((session) => own.insertAgentLines([lineOf(), line], session))).rejects.toThrow("duplicate key");
  await commit((session) => other.insertAgentLines([line], session));
  expect(await own.listAgentLines(line, undefined, 9)).toEqual([line]);
});
