import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPartner } from "../../../deploy/partner/server.js";
import { refused } from "../../../test/support/compliance-fixture.js";
import { createHttpContactVerification } from "../decisions/clients/contact-verification.js";

const apiKey = "a-key-of-sixteen-letters";
const account = { tenantId: "demo", isSandbox: false };
const folder = mkdtempSync(join(tmpdir(), "manilla-connectors-"));
let partner: Awaited<ReturnType<typeof startPartner>>;
let server: Server;
let answer: { status: number; text: string };

beforeAll(async () => {
  partner = await startPartner({
    host: "127.0.0.1",
    port: 0,
    booksFile: join(folder, "books.db"),
    apiKey,
    callbackSecret: "whsec_dGVzdA==",
    settleMs: 0,
    windowMs: 1_000,
  });
  server = createServer((request, response) => {
    request.resume().on("end", () => response.writeHead(answer.status).end(answer.text));
  }).listen(0, "127.0.0.1");
});
afterAll(async () => {
  await partner.stop();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});
const own = () => ({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, apiKey });
const sandboxPartner = () => ({ url: `http://127.0.0.1:${partner.port}`, apiKey });

describe("contact verification at the sandbox partner", () => {
  const verify = (type: "EMAIL" | "PHONE_NUMBER", value: string, endpoint = sandboxPartner()) =>
    createHttpContactVerification({ live: endpoint }).verify(account, { reference: "c1:email:1", type, value });

  test.each([
    ["EMAIL", "ada@example.test", true],
    ["EMAIL", "ada+unverified@example.test", false],
    ["PHONE_NUMBER", "+2348012345678", true],
    ["PHONE_NUMBER", "+2348012340000", false],
  ] as const)("%s %s", async (type, value, verified) => {
    const first = await verify(type, value);
    expect(first.verified).toBe(verified);
    expect(JSON.parse(first.raw)).toMatchObject({ reference: "c1:email:1", type });
    expect(await verify(type, value)).toEqual(first);
  });

  test("a wrong key verifies nothing, and a partner that is away is no answer", async () => {
    expect(
      (await verify("EMAIL", "a@b.test", { ...sandboxPartner(), apiKey: "another-key-of-letters" })).verified,
    ).toBe(false);
    const nowhere = { url: "http://127.0.0.1:1", apiKey };
    expect((await refused(verify("EMAIL", "a@b.test", nowhere))).code).toBe("UNAVAILABLE");
  });

  test("an answer that is no JSON verifies nothing and comes back as it is; 5xx is no answer", async () => {
    answer = { status: 200, text: "<html>VERIFIED</html>" };
    expect(await verify("EMAIL", "a@b.test", own())).toEqual({ verified: false, raw: "<html>VERIFIED</html>" });
    answer = { status: 502, text: "" };
    expect((await refused(verify("EMAIL", "a@b.test", own()))).code).toBe("UNAVAILABLE");
  });

  test("an answer about another contact is no answer", async () => {
    for (const reference of ["c2:email:1", undefined]) {
      for (const status of ["VERIFIED", "UNVERIFIED"]) {
        answer = { status: 200, text: JSON.stringify({ reference, status }) };
        expect((await refused(verify("EMAIL", "a@b.test", own()))).code).toBe("UNAVAILABLE");
      }
    }
    answer = { status: 200, text: JSON.stringify({ reference: "c1:email:1", status: "VERIFIED" }) };
    expect(await verify("EMAIL", "a@b.test", own())).toMatchObject({ verified: true });
  });

  test("a sandbox never reaches a live partner", async () => {
    const live = createHttpContactVerification({ live: own() });
    const requested = live.verify(
      { ...account, isSandbox: true },
      { reference: "r", type: "EMAIL", value: "a@b.test" },
    );
    await expect(requested).rejects.toThrow("sandbox");
  });
});
