import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createEdgeClient, readDemo } from "../support/edge-client.js";

interface Bill {
  components: { name: string; version: string; licenses?: unknown[]; hashes?: unknown[] }[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

const bundled = JSON.parse(readFileSync("dist/console/packages.json", "utf8")) as {
  name: string;
  version: string;
  license: string;
}[];
let bill: Bill;
beforeAll(() => {
  bill = JSON.parse(execFileSync(process.execPath, ["deploy/image/sbom.mjs"], { encoding: "utf8" })) as Bill;
});

test("the console's build lists what it has copied code of, and no tool that made it", () => {
  const names = bundled.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining(["react", "react-dom", "@tanstack/react-router", "recharts", "tailwindcss", "scheduler"]),
  );
  for (const tool of ["vite", "@tailwindcss/vite", "playwright-core", "typescript", "jest"]) {
    expect(names).not.toContain(tool);
  }
});

test("the bill of materials has each of them, with version, licence and hash", () => {
  const inBill = new Map(bill.components.map((one) => [`${one.name}@${one.version}`, one]));
  for (const { name, version } of bundled) {
    expect([name, inBill.get(`${name}@${version}`)]).toEqual([
      name,
      expect.objectContaining({ licenses: [expect.anything()], hashes: [expect.anything()] }),
    ]);
  }
  const manilla = bill.dependencies.find(({ ref }) => ref.startsWith("manilla@"));
  expect(manilla?.dependsOn).toEqual(expect.arrayContaining([expect.stringMatching(/^react@/)]));
});

test("their licences are served with the page, each with who holds the copyright", async () => {
  const { status, text } = await createEdgeClient(readDemo().baseUrl).send("GET", "/console/licences.txt");
  expect(status).toBe(200);
  const parts = text.split(/\n~{80}\n\n/).slice(1);
  expect(parts.map((part) => part.split("\n")[0])).toEqual(
    bundled.map(({ name, version, license }) => `${name} ${version} (${license})`),
  );
  // 0BSD asks for no notice.
  const silent = parts.filter((part) => !/copyright/i.test(part)).map((part) => part.split("\n")[0]);
  expect(silent).toEqual([]);
});
