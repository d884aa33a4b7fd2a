import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { servicesWithMasterKey } from "../cli/admin-master-key.js";
import { gatewayRow, serviceTable, servicesWithout, type ServiceRow } from "./service-table.js";

test("a system may do without investment, and nobody in it is given its address", () => {
  expect(servicesWithout(undefined)).toEqual(serviceTable);
  expect(servicesWithout("")).toEqual(serviceTable);
  const rows = servicesWithout("investment");
  const names = serviceTable.map(({ name }) => name).filter((name) => name !== "investment");
  expect(rows.map(({ name }) => name)).toEqual(names);
  expect([...rows, gatewayRow(rows)].filter(({ calls }) => calls.includes("investment"))).toEqual([]);
});

test.each(serviceTable.map(({ name }) => name).filter((name) => name !== "investment"))(
  "nothing runs without %s",
  (name) => {
    expect(() => servicesWithout(`investment,${name}`)).toThrow(new RegExp(`nothing runs without ${name}`));
  },
);

test("who keeps keys that the master key wraps is given it, else nothing opens at the second start", () => {
  const dir = mkdtempSync(join(tmpdir(), "manilla-table-"));
  const partnerFile = join(dir, "partner.json");
  writeFileSync(partnerFile, JSON.stringify({ apiKey: "k", callbackSecret: "s" }));
  const keys = { masterKeyFile: "/keys/master.key", partnerFile } as Parameters<
    NonNullable<ServiceRow["env"]>
  >[0]["keys"];
  const own = { address: "127.0.0.1:1", keys, dataDir: dir, gatewayUrl: "http://127.0.0.1:2" };
  const given = serviceTable.filter(({ env }) => env?.(own)["MASTER_KEY_FILE"] === keys.masterKeyFile);
  expect(given.map(({ name }) => name).toSorted()).toEqual([...servicesWithMasterKey].toSorted());
  rmSync(dir, { recursive: true });
});
