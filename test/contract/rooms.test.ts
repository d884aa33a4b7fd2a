import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const root = join(__dirname, "../..");
const maxLines = 300;
const maxColumns = 100;

/**
 * Which imports a lint rule refuses, for one file each in a tree of its own: "<file> <- <import>".
 */
function refusedImports(
  imports: readonly (readonly [file: string, from: string])[],
  rule = "no-restricted-imports",
  keyword = "import",
): string[] {
  const folder = mkdtempSync(join(tmpdir(), "rooms-"));
  try {
    copyFileSync(join(root, ".oxlintrc.json"), join(folder, ".oxlintrc.json"));
    for (const [file, from] of imports) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(
        join(folder, file),
        `${keyword} { one } from "${from}";\nexport const two = (): typeof one => one;\n`,
      );
    }
    const oxlint = join(root, "node_modules/oxlint/bin/oxlint");
    const { stdout } = spawnSync(process.execPath, [oxlint, "--format", "json", "."], {
      cwd: folder,
      encoding: "utf8",
    });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] };
    const files = diagnostics.filter(({ code }) => code.includes(rule)).map(({ filename }) => filename);
    return imports.filter(([file]) => files.some((found) => found.endsWith(file))).map((one) => one.join(" <- "));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const named = (imports: readonly (readonly [string, string])[]) => imports.map((one) => one.join(" <- "));

const refused = [
  // domain/ is pure.
  ["services/wallet/domain/a.ts", "../store/index.js"],
  ["services/wallet/domain/b.ts", "../wire/payments.js"],
  ["services/wallet/domain/c.ts", "../clients/neighbours.js"],
  ["services/wallet/domain/d.ts", "../sagas/payment.js"],
  ["services/wallet/domain/e.ts", "../jobs/relay.js"],
  ["services/wallet/domain/f.ts", "../handlers/deps.js"],
  ["services/wallet/domain/g.ts", "../../../proto/gen/wallet/v1/wallet.js"],
  ["services/wallet/domain/h.ts", "../../kernel/grpc/client.js"],
  ["services/wallet/domain/i.ts", "mongoose"],
  ["services/wallet/domain/j.ts", "nice-grpc"],
  ["services/wallet/domain/k.ts", "../../kernel/mongo/transaction.js"],
  ["services/compliance/decisions/domain/l.ts", "../checks/review.js"],
  ["services/ledger/domain/m.ts", "../journal/posting.js"],
  ["services/wallet/domain/tariff/n.ts", "../../store/index.js"],
  ["services/compliance/screening/domain/o.ts", "../engine/judge.js"],
  ["services/wallet/domain/p.ts", "../../platform/partners/sender.js"],
  ["services/compliance/lists/domain/q.ts", "../../../platform/approvals/approvals.js"],
  // Only server.ts and handlers/ import handlers/.
  ["services/wallet/sagas/a.ts", "../handlers/deps.js"],
  ["services/wallet/store/b.ts", "../handlers/deps.js"],
  ["services/wallet/main.ts", "./handlers/index.js"],
  // No service imports another, and what they share imports none.
  ["services/wallet/handlers/a.ts", "../../lending/domain/loan.js"],
  ["services/wallet/domain/o.ts", "../../lending/domain/loan.js"],
  ["services/platform/approvals/a.ts", "../../wallet/domain/account.js"],
  ["services/platform/neighbours/b.ts", "../../wallet/clients/neighbours.js"],
  ["services/kernel/a.ts", "../wallet/domain/account.js"],
  // kernel/ is below platform/.
  ["services/kernel/outbox/b.ts", "../../platform/partners/sender.js"],
  ["gateway/a.ts", "../services/wallet/domain/account.js"],
  // The console's floors: lib, ui, pages, app.
  ["console/src/lib/a.ts", "../ui/button"],
  ["console/src/lib/b.ts", "../pages/cases/codes"],
  ["console/src/ui/a.ts", "../pages/cases/codes"],
  ["console/src/ui/b.ts", "../app/layout"],
  ["console/src/pages/cases/a.ts", "../../app/areas"],
] as const;

const allowed = [
  ["services/wallet/domain/a.ts", "./account.js"],
  ["services/wallet/domain/b.ts", "../../kernel/money.js"],
  ["services/wallet/domain/c.ts", "../../kernel/refusal.js"],
  ["services/wallet/domain/d.ts", "../../kernel/time/calendar-day.js"],
  ["services/wallet/domain/e.ts", "decimal.js"],
  ["services/wallet/domain/p.ts", "../../platform/sandbox/sandbox.js"],
  ["services/wallet/handlers/f.ts", "./deps.js"],
  ["services/wallet/handlers/g.ts", "../store/index.js"],
  ["services/wallet/server.ts", "./handlers/index.js"],
  ["services/wallet/store/h.ts", "../../kernel/mongo/transaction.js"],
  ["services/wallet/domain/i.test.ts", "../store/index.js"],
  ["services/platform/approvals/j.ts", "../../kernel/mongo/transaction.js"],
  ["gateway/a.ts", "../services/kernel/money.js"],
  ["console/src/ui/a.ts", "../lib/api"],
  ["console/src/pages/cases/a.ts", "../compliance/codes"],
  ["console/src/app/a.ts", "../pages/cases"],
] as const;

test("lint refuses an import out of its room", () => {
  expect(refusedImports(refused)).toEqual(named(refused));
});

test("lint lets through what a room may import", () => {
  expect(refusedImports(allowed)).toEqual([]);
});

const circle = [
  ["services/wallet/store/a.ts", "./b.js"],
  ["services/wallet/store/b.ts", "./a.js"],
  ["console/src/pages/cases/c.ts", "./d"],
  ["console/src/pages/cases/d.ts", "./c"],
] as const;

test("lint refuses a circle of imports, and in the console one of types, too", () => {
  expect(refusedImports(circle, "no-cycle")).toEqual(named(circle));
  expect(refusedImports(circle, "no-cycle", "import type")).toEqual(named(circle.slice(2)));
});

function sources(...patterns: string[]): { path: string; lines: string[] }[] {
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", ...patterns], {
    cwd: root,
    encoding: "utf8",
  });
  return listed
    .split("\n")
    .filter((path) => path !== "" && !path.includes("/generated/") && existsSync(join(root, path)))
    .map((path) => ({ path, lines: readFileSync(join(root, path), "utf8").split("\n") }));
}

test(`no source file has more than ${maxLines} lines`, () => {
  const longer = sources("*.ts", "*.tsx")
    .filter(({ path, lines }) => !path.endsWith(".test.ts") && lines.length - 1 > maxLines)
    .toSorted((a, b) => b.lines.length - a.lines.length)
    .map(({ path, lines }) => `${lines.length - 1} ${path}`);
  expect(longer).toEqual([]);
});

test("the wiring of a service has at most 150 lines", () => {
  const servers = sources("services/*/server.ts").filter(({ path }) => /^services\/\w+\/server/.test(path));
  expect(servers).toHaveLength(8);
  expect(servers.filter(({ lines }) => lines.length - 1 > 150).map(({ path }) => path)).toEqual([]);
});

/** Lines of services/ without those of tests. */
const storing = () =>
  sources("services/*.ts")
    .filter(({ path }) => !path.endsWith(".test.ts"))
    .flatMap(({ path, lines }) => lines.map((line, index) => ({ path, line, at: `${path}:${index + 1}` })));

test("a record is read without its tenant by recordCollection alone", () => {
  const byHand = storing().filter(({ line }) => line.includes("{ _id: 0, tenantId: 0 }"));
  expect(byHand.map(({ path }) => path)).toEqual(["services/kernel/mongo/record-collection.ts"]);
});

test("what turns records into documents and back is called xToDocument and xFromDocument", () => {
  const pair = /\b(?:function|const) (?:\w+(?:To|Of|From)(?:Row|Stored|Doc)|(?:to|from)(?:Row|Stored|Doc|Document))\b/;
  const inRoom = ({ path }: { path: string }) => /\/store\/|^services\/kernel\//.test(path);
  expect(storing().filter((one) => inRoom(one) && pair.test(one.line))).toEqual([]);
  const outside = storing().filter((one) => !inRoom(one) && /\bfunction \w+(?:To|From)Document\b/.test(one.line));
  expect(outside).toEqual([]);
});

/** Who reads documents that are not one record each, or reads them under more shapes than one. */
const documentReaders = {
  "erases across the shapes of one collection": [
    "services/compliance/cases/store/case-erasure.ts",
    "services/compliance/store/erasure.ts",
    "services/lending/store/erasure.ts",
    "services/platform/erasure/erasure.ts",
    "services/wallet/store/erasure.ts",
  ],
  "counts, sums and leases": [
    "services/compliance/store/work-queues.ts",
    "services/lending/store/index.ts",
    "services/platform/approvals/approval-outcomes.ts",
    "services/remittance/store/day-sums.ts",
  ],
  "bytes of files": [
    "services/compliance/common/store/chunks.ts",
    "services/compliance/decisions/store/documents.ts",
    "services/compliance/lists/store/screening-list-parts.ts",
    "services/compliance/lists/store/screening-lists.ts",
  ],
  "some fields of very many for a day's work, ids of several parts, upserts": [
    "services/investment/store/accrual.ts",
    "services/investment/store/applications.ts",
    "services/investment/store/dividends.ts",
    "services/investment/store/holdings.ts",
    "services/investment/store/open-money.ts",
    "services/investment/store/products.ts",
  ],
};

test("tenantCollection is opened by kernel, the ledger and the files that are named with why", () => {
  const openers = storing().filter(
    ({ path, line }) => /tenantCollection[<(]/.test(line) && !/^services\/(?:kernel|ledger)\//.test(path),
  );
  const files = [...new Set(openers.map(({ path }) => path))].toSorted();
  expect(files).toEqual(Object.values(documentReaders).flat().toSorted());
});

test("types of BSON stay in store/ and in kernel/mongo", () => {
  const bson = /\bmongo\.(?:Binary|Long|Int32|Double|Decimal128|ObjectId)\b/;
  const elsewhere = storing().filter(({ path }) => !/\/store\/|^services\/kernel\/mongo\//.test(path));
  expect(elsewhere.filter(({ line }) => bson.test(line)).map(({ at }) => at)).toEqual([]);
});

const handlerFiles = sources("services/*/handlers/*.ts")
  .filter(({ path }) => !path.endsWith(".test.ts"))
  .map(({ path, lines }) => ({ path, text: lines.join("\n"), isIndex: path.endsWith("/index.ts") }));
const isServing = /satisfies Partial<\s*Handlers</;
const serving = handlerFiles.filter(({ text }) => isServing.test(text));
const exportsOf = (text: string) => text.match(/^export .*/gm) ?? [];
const handlersOf = (text: string) => /^export function (\w+Handlers)\(/m.exec(text)?.[1];

test("a file that serves rpcs exports its handlers alone", () => {
  expect(serving.length).toBeGreaterThan(100);
  const others = serving.filter(({ text }) => exportsOf(text).length !== 1 || handlersOf(text) === undefined);
  expect(others.map(({ path }) => path)).toEqual([]);
  const untyped = handlerFiles.filter(({ text }) => !isServing.test(text) && handlersOf(text) !== undefined);
  expect(untyped.map(({ path }) => path)).toEqual([]);
});

test("the index of a service's handlers spreads each of them once, and does nothing else", () => {
  const indexes = handlerFiles.filter(({ isIndex }) => isIndex);
  expect(indexes).toHaveLength(8);
  for (const { path, text } of indexes) {
    const service = path.split("/")[1]!;
    const own = serving.filter((file) => file.path.startsWith(`services/${service}/`));
    const spread = [...text.matchAll(/\.\.\.(\w+)\((?:deps|parts)\)/g)].map(([, name]) => name).toSorted();
    expect({ path, spread }).toEqual({ path, spread: own.map((one) => handlersOf(one.text)).toSorted() });
    expect(`${path} ${/^ *(?:async|function|return|const) .*/m.exec(text)?.[0] ?? ""}`).toBe(`${path} `);
  }
});

test("what a service serves beside its own rpcs stands in that list, too", () => {
  const elsewhere = sources("services/*.ts")
    .filter(({ path }) => !/^services\/(kernel|platform)\/|\.test\.ts$|\/handlers\/index\.ts$/.test(path))
    .filter(({ lines }) => lines.some((line) => /\balsoServe\b/.test(line)));
  expect(elsewhere.map(({ path }) => path)).toEqual([]);
});

// A comment of its own, or one behind code; what is said to the linter is no comment.
const comment = /^\s*(\/\/|\{?\/\*|\* )|[;,{}()[\]] \/\/ /;
const commented = ["console", "deploy", "docs", "gateway", "sdk", "services", "test"];

test(`no comment goes beyond ${maxColumns} columns`, () => {
  const wide = sources(...commented.flatMap((room) => ["ts", "tsx", "mjs"].map((kind) => `${room}/*.${kind}`)))
    .flatMap(({ path, lines }) => lines.map((line, index) => ({ at: `${path}:${index + 1}`, line })))
    .filter(({ line }) => line.length > maxColumns && comment.test(line) && !line.includes("oxlint-disable"))
    .map(({ at }) => at);
  expect(wide).toEqual([]);
});
