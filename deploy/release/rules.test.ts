import { readFileSync } from "node:fs";
import { join } from "node:path";
import { hasSection, sectionOf, withSection } from "./changelog.js";
import { compareVersions, parseVersion } from "./version.js";
import { versionPlaces } from "./version-places.js";

const root = join(__dirname, "../..");

test("a version is three numbers, compared as numbers", () => {
  expect(parseVersion("1.20.3")).toEqual([1, 20, 3]);
  for (const text of ["1.2", "v1.2.3", "01.2.3", "1.2.3-rc.1", "1.2.3\n", "", "1.2.9999999999"]) {
    expect(() => parseVersion(text)).toThrow("is not three numbers such as 0.2.0");
  }
  expect(compareVersions("0.10.0", "0.9.9")).toBeGreaterThan(0);
  expect(compareVersions("1.0.0", "0.99.99")).toBeGreaterThan(0);
  expect(compareVersions("0.2.0", "0.2.1")).toBeLessThan(0);
  expect(compareVersions("0.2.0", "0.2.0")).toBe(0);
});

test("a section groups subjects by what they changed most, and shows them as they were written", () => {
  const commits = [
    {
      subject: "Payments keep <their> order",
      paths: ["services/wallet/a.ts", "services/wallet/b.test.ts", "docs/wallet.md"],
    },
    { subject: "Tills are counted", paths: ["docs/wallet.md", "services/wallet/c.ts"] },
    { subject: "Text of the ledger", paths: ["docs/ledger.md"] },
    { subject: "More tests", paths: ["test/e2e/a.test.ts"] },
    { subject: "Rates by rpc", paths: ["proto/remittance/v1/rates.proto"] },
    { subject: "Log lines", paths: ["services/kernel/process/log.ts"] },
    { subject: "Pods spread", paths: ["charts/manilla/values.yaml"] },
    { subject: "Nothing", paths: [] },
  ];
  expect(sectionOf("0.3.0", "2026-11-23", commits)).toBe(
    `## 0.3.0 (2026-11-23)

### all services

- Log lines

### chart

- Pods spread

### remittance

- Rates by rpc

### wallet

- Payments keep \\<their> order
- Tills are counted

### documents

- Text of the ledger

### tests and build

- More tests
- Nothing
`,
  );
});

test("the newest section stands on top, once", () => {
  const first = withSection(undefined, sectionOf("0.1.0", "2026-01-01", []));
  const both = withSection(first, sectionOf("0.2.0", "2026-02-01", []));
  expect(both).toBe(
    "# Changelog\n\n## 0.2.0 (2026-02-01)\n\nThe first release.\n\n## 0.1.0 (2026-01-01)\n\nThe first release.\n",
  );
  expect([hasSection(both, "0.1.0"), hasSection(both, "0.1"), hasSection(undefined, "0.1.0")]).toEqual([
    true,
    false,
    false,
  ]);
});

test("every file that says the version gets the new one, and nothing else in it changes", () => {
  const lines = Object.entries(versionPlaces).flatMap(([path, setVersion]) => {
    const before = readFileSync(join(root, path), "utf8").split("\n");
    const after = setVersion(before.join("\n"), "987.6.5").split("\n");
    expect(after.length).toBe(before.length);
    return after.filter((line, index) => line !== before[index]).map((line) => `${path}:${line}`);
  });
  expect(lines).toEqual([
    'package.json:  "version": "987.6.5",',
    'package-lock.json:  "version": "987.6.5",',
    'package-lock.json:      "version": "987.6.5",',
    "charts/manilla/Chart.yaml:version: 987.6.5",
    "charts/manilla/Chart.yaml:appVersion: 987.6.5",
    "deploy/Dockerfile:ARG VERSION=987.6.5",
  ]);
});

test("a file without a place for the version is refused", () => {
  for (const setVersion of Object.values(versionPlaces)) {
    expect(() => setVersion("{}\n", "0.2.0")).toThrow("the version has no place there");
  }
});
