import { createHash } from "node:crypto";
import {
  ada,
  createComplianceWorld,
  manager,
  on,
  refused,
  type ComplianceWorld,
} from "../../../../test/support/compliance-fixture.js";
import { tracesIn } from "../../../../test/support/erasure.js";
import { chunkBytes } from "../../common/store/chunks.js";

let world: ComplianceWorld;
beforeAll(async () => {
  world = await createComplianceWorld("case_files");
});
afterEach(() => world.reset());
afterAll(() => world.close());

const pdf = Buffer.from(`%PDF-1.7\nZuberi Bello, born 1990 ${"x".repeat(300_000)}\n%%EOF\n`);
const sha256Of = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
const cases = () => world.cases[0]!;
let keys = 0;
const key = () => ({ idempotencyKey: `key-${(keys += 1)}` });

async function opened(tenantId: string, customerId = "c1", note = "asked about limits") {
  return (await cases().openCase({ ...key(), customerId, note }, on(tenantId, manager))).case!;
}

/** In parts of one chunk, the last one first. */
async function uploaded(tenantId: string, caseId: string, uploadId: string, bytes = pdf) {
  for (let at = Math.floor((bytes.length - 1) / chunkBytes) * chunkBytes; at >= 0; at -= chunkBytes) {
    const part = { uploadId, caseId, offset: BigInt(at), data: bytes.subarray(at, at + chunkBytes) };
    await cases().uploadCaseFilePart(part, on(tenantId, manager));
  }
}

const attachment = (caseId: string, uploadId: string, part: object = {}) => {
  return { caseId, uploadId, name: "letter.pdf", mediaType: "", sha256: sha256Of(pdf), ...part };
};

test("a file is uploaded in parts, attached once whole, read to its end, and each reading is in the audit trail", async () => {
  const tenantId = await world.openTenant({});
  const call = on(tenantId, manager);
  const { caseId, version } = await opened(tenantId);
  await uploaded(tenantId, caseId, "u1");
  await uploaded(tenantId, caseId, "u1");
  const attached = await cases().attachCaseFile(attachment(caseId, "u1", { name: "C:\\letters\\letter.pdf" }), call);
  const again = await cases().attachCaseFile(attachment(caseId, "u1"), call);
  expect([attached.case!.version, again.case!.version]).toEqual([version + 1, version + 1]);
  const [file] = again.case!.files;
  expect(file).toMatchObject({
    name: "letter.pdf",
    mediaType: "application/pdf",
    bytes: BigInt(pdf.length),
    attachedBy: "MA1",
  });
  const { case: one } = await cases().getCase({ caseId }, call);
  expect(one!.timeline.at(-1)).toMatchObject({
    kind: "FILE_ATTACHED",
    text: "letter.pdf",
    details: { fileId: file!.fileId },
  });
  const read = await cases().readCaseFile({ caseId, fileId: file!.fileId, offset: 0n }, call);
  expect(Buffer.from(read.data)).toEqual(pdf);
  const rest = await cases().readCaseFile({ caseId, fileId: file!.fileId, offset: BigInt(2 * chunkBytes) }, call);
  expect(Buffer.from(rest.data)).toEqual(pdf.subarray(2 * chunkBytes));
  const { entries } = await world.gateway.listAuditEntries({ subject: "customer:c1" }, call);
  expect(entries.filter(({ action }) => action === "case-file.read")).toHaveLength(1);
});

test("a file that is not what was said is refused and the case is as it was", async () => {
  const tenantId = await world.openTenant({});
  const call = on(tenantId, manager);
  const { caseId, version } = await opened(tenantId);
  const codeOf = async (work: Promise<unknown>) => (await refused(work)).code;
  const wrong = [
    attachment(caseId, "u1", { sha256: sha256Of(Buffer.from("another")) }),
    attachment(caseId, "u1", { mediaType: "image/png" }),
    attachment(caseId, "never-uploaded"),
  ];
  for (const requested of wrong) {
    if (requested.uploadId === "u1") await uploaded(tenantId, caseId, "u1");
    expect(await codeOf(cases().attachCaseFile(requested, call))).toBe("DOCUMENT_INVALID");
  }
  const script = Buffer.from("#!/bin/sh\n");
  await uploaded(tenantId, caseId, "u2", script);
  const asScript = attachment(caseId, "u2", { sha256: sha256Of(script) });
  expect(await codeOf(cases().attachCaseFile(asScript, call))).toBe("DOCUMENT_INVALID");
  const cut = pdf.subarray(0, chunkBytes);
  await uploaded(tenantId, caseId, "u3", cut);
  const asCut = attachment(caseId, "u3", { sha256: sha256Of(cut) });
  expect(await codeOf(cases().attachCaseFile(asCut, call))).toBe("DOCUMENT_INVALID");
  const active = Buffer.from("%PDF-1.7 1 0 obj <</S /JavaScript /JS (x)>> endobj %%EOF");
  await uploaded(tenantId, caseId, "u4", active);
  const asActive = attachment(caseId, "u4", { sha256: sha256Of(active) });
  expect((await refused(cases().attachCaseFile(asActive, call))).message).toContain("/JavaScript");
  // What is refused does not count any more.
  expect(await world.db.collection("case_file_chunks").countDocuments({ tenantId })).toBe(0);
  expect(await world.db.collection("upload_quotas").findOne({ tenantId })).toMatchObject({ uploads: [] });
  await uploaded(tenantId, caseId, "u1");
  const other = { uploadId: "u1", caseId, offset: 0n, data: Buffer.from("other bytes") };
  expect(await codeOf(cases().uploadCaseFilePart(other, call))).toBe("KEY_REUSED");
  const beyond = { ...other, offset: BigInt(10 * 1024 * 1024) };
  expect(await codeOf(cases().uploadCaseFilePart(beyond, call))).toBe("BODY_TOO_LARGE");
  for (const [path, part] of [
    ["offset", { offset: 5n }],
    ["offset", { offset: -5n }],
    ["data", { data: Buffer.alloc(0) }],
    ["uploadId", { uploadId: "" }],
  ] as const) {
    const refusal = await refused(cases().uploadCaseFilePart({ ...other, ...part }, call));
    expect([path, refusal.details?.errors?.[0]?.path]).toEqual([path, path]);
  }
  const hidden = attachment(caseId, "u1", { name: "letter\u202efdp.exe" });
  expect((await refused(cases().attachCaseFile(hidden, call))).details?.errors?.[0]?.path).toBe("name");
  expect((await cases().getCase({ caseId }, call)).case).toMatchObject({ version, files: [] });
});

test("a file is of its case and tenant, and a closed case takes one", async () => {
  const tenantId = await world.openTenant({});
  const call = on(tenantId, manager);
  const [one, other] = [await opened(tenantId, "c1"), await opened(tenantId, "c3")];
  const close = { ...key(), caseId: one.caseId, version: one.version, outcome: "USEFUL", reason: "seen" };
  await cases().closeCase(close, call);
  await uploaded(tenantId, one.caseId, "u1");
  const { case: attached } = await cases().attachCaseFile(attachment(one.caseId, "u1"), call);
  expect(attached!.status).toBe("CLOSED");
  const { fileId } = attached!.files[0]!;
  const elsewhere = cases().attachCaseFile(attachment(other.caseId, "u1"), call);
  expect((await refused(elsewhere)).code).toBe("DOCUMENT_INVALID");
  const byOther = cases().readCaseFile({ caseId: other.caseId, fileId, offset: 0n }, call);
  expect((await refused(byOther)).code).toBe("NOT_FOUND");
  const tenant = await world.openTenant({});
  const byTenant = cases().readCaseFile({ caseId: one.caseId, fileId, offset: 0n }, on(tenant, manager));
  expect((await refused(byTenant)).code).toBe("NOT_FOUND");
});

test("texts and files of a person's cases go when the retention is over; who did what and when stays", async () => {
  const tenantId = await world.openTenant({});
  const call = on(tenantId, manager);
  const mine = await opened(tenantId, "c1", "Zuberi telephoned");
  const others = await opened(tenantId, "c2", "about somebody else");
  for (const { caseId } of [mine, others]) {
    await uploaded(tenantId, caseId, "u1");
    await cases().attachCaseFile(attachment(caseId, "u1", { name: "zuberi-letter.pdf" }), call);
  }
  const { caseId } = mine;
  const { version } = (await cases().getCase({ caseId }, call)).case!;
  await cases().closeCase({ ...key(), caseId, version, outcome: "USEFUL", reason: "Zuberi Bello was it" }, call);
  const person = { tenantId, ...ada };
  expect((await world.erase(person, "AT_ONCE")).kept).toMatchObject({ "case-texts": 3, "case-files": 1 });
  const { case: before } = await cases().getCase({ caseId }, call);
  const { erased, kept } = await world.erase(person, "AFTER_RETENTION");
  expect(erased).toMatchObject({ "case-texts": 3, "case-files": 1, "audit-reasons": 2 });
  expect(kept).toEqual({});
  const { case: after } = await cases().getCase({ caseId }, call);
  expect(after!.files).toEqual([]);
  expect(after!.timeline.map(({ kind, at, actor }) => [kind, at, actor])).toEqual(
    before!.timeline.map(({ kind, at, actor }) => [kind, at, actor]),
  );
  expect(after!.timeline.every(({ text }) => text === "" || text === "erased")).toBe(true);
  const { case: untouched } = await cases().getCase({ caseId: others.caseId }, call);
  const [file] = untouched!.files;
  const read = await cases().readCaseFile({ caseId: others.caseId, fileId: file!.fileId, offset: 0n }, call);
  expect(Buffer.from(read.data)).toEqual(pdf);
  expect(await tracesIn(world.db.name, tenantId, ["Zuberi telephoned", "Zuberi Bello was it"])).toEqual([]);
});
