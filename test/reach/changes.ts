// Four changes as somebody makes them by hand: the least with which types and tests pass.

export interface Edit {
  file: string;
  anchor: string;
  text: string;
  /** Put before the anchor, in its place, or behind the line that holds it. */
  where: "BEFORE" | "INSTEAD" | "BEHIND";
}

export interface Change {
  name: string;
  /** Files by hand before an operation was one declaration, and how many it may be now. */
  figures: readonly [before: number, goal: number];
  edits: readonly Edit[];
  /** Of its own, that have to pass. */
  tests: readonly string[];
}

const edit = (where: Edit["where"]) => (file: string, anchor: string, text: string) => ({ where, file, anchor, text });
const [before, instead, behind] = [edit("BEFORE"), edit("INSTEAD"), edit("BEHIND")];

const remittance = "proto/remittance/v1/remittance.proto";
const beneficiary = "services/remittance/domain/beneficiary.ts";
const wire = "services/remittance/wire/beneficiaries.ts";
const beneficiaryTest = "services/remittance/handlers/beneficiaries.test.ts";
const reports = "gateway/operations/reports.ts";
const reportHandlers = "services/remittance/handlers/reports.ts";
const payable = "services/wallet/domain/payable.ts";
const roles = "test/contract/roles/remittance.ts";
const page = "console/src/pages/customers/beneficiaries.tsx";
const texts = "console/src/pages/customers/part-texts.ts";
const beneficiaryShape = "gateway/shapes/beneficiaries.ts";

const operation: Change = {
  name: "a new operation",
  figures: [5, 2],
  edits: [
    instead("gateway/operations/markups.ts", "{ putMarkup,", "{ listOwnMarkups, putMarkup,"),
    before(
      "gateway/operations/markups.ts",
      "export const markupRoutes",
      `const listOwnMarkups = operation({
  method: "get",
  path: \`\${base}/markups/own\`,
  tag: "Markups",
  summary: "List one's own markups",
  access: ["AGENT"],
  scopes: ["markups:write"],
  answer: z.array(Markup),
  message: "Markups",
  example: { as: "agent@demo.example" },
  rpc: "remittance.listMarkups",
});\n\n`,
    ),
    behind(roles, "remittanceAccess", '  listOwnMarkups: { roles: ["AGENT"], scopes: ["markups:write"] },'),
  ],
  tests: [],
};

const field: Change = {
  name: "an optional text of a beneficiary",
  figures: [16, 8],
  edits: [
    behind(remittance, "  RecipientDetails details = 19;", "  string alias = 30;"),
    behind(remittance, "  RecipientDetails details = 11;", "  string alias = 30;"),
    behind(remittance, "  RecipientDetails details = 10;", "  string alias = 30;"),
    behind(beneficiary, "  relationship: string;", "  alias: string;"),
    instead(wire, '| "relationship" |', '| "relationship" | "alias" |'),
    behind(wire, "    relationship: trimmed", '    alias: trimmedFromWire(request.alias, "alias", 100, true),'),
    instead("services/remittance/store/erasure.ts", 'relationship: "" };', 'relationship: "", alias: "" };'),
    behind(beneficiaryShape, "      relationship: ", "      alias: z.string().optional(),"),
    behind(beneficiaryShape, "  relationship: maybe(", "  alias: maybe(text(100, 0)),"),
    instead(beneficiaryTest, "await create(testTenant());", 'await create(testTenant(), { alias: "Ngo" });'),
    behind(beneficiaryTest, '      relationship: "sister",', '      alias: "Ngo",'),
    behind(texts, '    relationship: "Relationship",', '    alias: "Alias",'),
    behind(texts, '    relationship: "Lien",', '    alias: "Surnom",'),
    behind(page, "    { header: t.relationship,", "    { header: t.alias, cell: (row) => row.alias },"),
  ],
  tests: [beneficiaryTest],
};

const report: Change = {
  name: "a report",
  figures: [16, 9],
  edits: [
    before(
      remittance,
      "  // Transactions of some days by day,",
      `  // How many transactions of a day, today where it is empty, stand at each status.
  rpc CountByStatus(CountByStatusRequest) returns (CountByStatusResponse) {
    option idempotency_level = NO_SIDE_EFFECTS;
  }\n`,
    ),
    before(
      remittance,
      "message GetAnalyticsRequest {",
      `message CountByStatusRequest { string date = 1; }
message CountByStatusResponse { string date = 1; repeated StatusCount counts = 2; }
message StatusCount { string status = 1; int64 count = 2; }\n`,
    ),
    behind(
      "services/remittance/access.ts",
      "  getCallOverReport:",
      '  countByStatus: { callers: ["gateway"], user: "required", roles: ["MANAGER", "AGENT"] },',
    ),
    before(
      "services/remittance/domain/reports.ts",
      "/** A day's transactions by agent, creator, status and currency; in a stable order. */",
      `export function countByStatus(sums: readonly CreatorSums[], seen: Pick<AsSeen, "seesBlocks">) {
  const counts = new Map<string, bigint>();
  for (const { status, count } of callOver(sums, seen)) counts.set(status, (counts.get(status) ?? 0n) + count);
  return [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([status, count]) => ({ status, count }));
}\n\n`,
    ),
    instead(reportHandlers, "analytics, callOver }", "analytics, callOver, countByStatus }"),
    before(
      reportHandlers,
      "    async getAnalytics(request, call) {",
      `    async countByStatus(request, call) {
      const { timeZone, today } = await times.forTenant(call.tenantId);
      const day = request.date === "" ? today().toString() : parseReportDay(request.date, "date", today());
      const { agentId } = await people.countedTransactions(call);
      const { readCreatorSums } = store.forTenant(call.tenantId);
      const sums = await oneOfFew(() => readCreatorSums(day, agentId, timeZone));
      const counts = countByStatus(sums, { seesBlocks: seesBlocks(call) });
      return { date: day, counts };
    },\n`,
    ),
    instead(reports, "reportRoutes = { ", "reportRoutes = { statusReport, "),
    before(
      reports,
      "export const reportRoutes",
      `const StatusCount = shape(wire.StatusCount, z.object({ status: z.string(), count: integer }).meta({ id: "StatusCount" }));
const statusReport = operation({
  method: "get",
  path: \`\${base}/by-status\`,
  tag: "Reports",
  summary: "How many transactions of a day stand at each status",
  access: ["MANAGER", "AGENT"],
  scopes: ["reports:read"],
  query: z.object({ date: dateIn.optional() }),
  answer: z.object({ date: z.string(), counts: z.array(StatusCount) }).meta({ id: "StatusReport" }),
  message: "Status report",
  example: { as: "manager@demo.example" },
  rpc: "remittance.countByStatus",
});\n\n`,
    ),
    before(reports, "import { route", `import { operation } from "../operation.js";\n`),
    behind(roles, "  callOverReport:", '  statusReport: { roles: ["MANAGER", "AGENT"], scopes: ["reports:read"] },'),
    behind(
      "services/remittance/handlers/transaction-lists.test.ts",
      "    const report = await world.gateway.getCallOverReport({}, on(tenantId, manager));",
      `    const { counts } = await world.gateway.countByStatus({}, on(tenantId, manager));
    expect(counts.reduce((sum, { count }) => sum + count, 0n)).toBeGreaterThan(0n);`,
    ),
  ],
  tests: ["services/remittance/handlers/transaction-lists.test.ts"],
};

const payableType: Change = {
  name: "a payable type",
  figures: [18, 9],
  edits: [
    behind("proto/wallet/v1/wallet.proto", "  PAYABLE_TYPE_WITHDRAWAL = 6;", "  PAYABLE_TYPE_DONATION = 7;"),
    instead(payable, '["BILL", "MERCHANT"] as const', '["BILL", "MERCHANT", "DONATION"] as const'),
    behind(payable, '  MERCHANT: "merchant_settlement",', '  DONATION: "merchant_settlement",'),
    instead(payable, 'MERCHANT: "merchant_payment", ', 'MERCHANT: "merchant_payment", DONATION: "donation", '),
    instead(
      "gateway/operations/payables.ts",
      '["BILL", "MERCHANT"] as const',
      '["BILL", "MERCHANT", "DONATION"] as const',
    ),
    instead("gateway/operations/payments.test.ts", '"MERCHANT", "WITHDRAWAL"', '"MERCHANT", "DONATION", "WITHDRAWAL"'),
    behind("console/src/ui/words.ts", '  WITHDRAWAL: "Retrait",', '  DONATION: "Don",'),
  ],
  tests: ["services/wallet/handlers/payables.test.ts", "gateway/operations/payments.test.ts"],
};

export const changes: readonly Change[] = [operation, field, report, payableType];
