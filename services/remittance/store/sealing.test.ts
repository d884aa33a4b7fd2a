import { randomBytes } from "node:crypto";
import { runMigrations } from "../../shared/mongo/migrations.js";
import { acrossTenants } from "../../shared/mongo/tenant-collection.js";
import { createDataKeys } from "../../shared/erasure/data-keys.js";
import { createLocalKms } from "../../shared/erasure/kms.js";
import { createLogger } from "../../shared/log.js";
import { testDatabase, testTenant } from "../../../test/support/index.js";
import { migrations } from "./migrations.js";
import { createPartyCipher } from "./sealed-party.js";
import { sealingMigrations } from "./sealing.js";
import { createRemittanceStore } from "./index.js";

test("document numbers that an earlier version stored in clear are sealed, once, and read as before", async () => {
  const { db, close } = await testDatabase("remittance_sealing");
  try {
    const log = createLogger({ service: "remittance", level: "silent" });
    await runMigrations(db, migrations, log);
    const keys = createDataKeys({ db, kms: createLocalKms(randomBytes(32)), purpose: "personal-data" });
    const cipher = createPartyCipher(keys);
    const tenantId = testTenant();
    const cash = [
      { key: "recipientname", value: "Ngozi Okafor" },
      { key: "iddocumentnumber", value: "A01234567" },
    ];
    const bank = [{ key: "bankaccountno", value: "3012345671" }];
    const old = { tenantId, createdAt: new Date() };
    const raw = (name: string) => acrossTenants<Record<string, unknown>>(db, name, "what the version before wrote");
    await raw("beneficiaries").insertMany([
      { ...old, beneficiaryId: "b1", code: "B1", customerId: "c1", creditParty: cash },
      { ...old, beneficiaryId: "b2", code: "B2", customerId: "c1", creditParty: bank },
    ]);
    await raw("transactions").insertMany([{ ...old, transactionId: "t1", transactionCode: "MN1", creditParty: cash }]);

    await runMigrations(db, sealingMigrations(cipher), log);
    const stored = async () =>
      JSON.stringify([await raw("beneficiaries").find({ tenantId }), await raw("transactions").find({ tenantId })]);
    const sealed = await stored();
    expect(sealed).not.toContain("A01234567");
    expect(sealed).toContain("3012345671");
    // Run again, as where the first run was cut off before it was noted.
    await sealingMigrations(cipher)[0]!.up(db);
    expect(await stored()).toBe(sealed);

    const tenant = createRemittanceStore(db, cipher).forTenant(tenantId);
    expect((await tenant.findBeneficiary({ code: "B1" }))!.creditParty).toEqual(cash);
    expect((await tenant.findBeneficiary({ code: "B2" }))!.creditParty).toEqual(bank);
    expect((await tenant.findTransaction("t1"))!.creditParty).toEqual(cash);
  } finally {
    await close();
  }
});
