import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { startEdge, type Edge } from "../test/gateway/edge.js";
import type { EdgeContext } from "./middleware/state.js";
import { organisationName } from "./middleware/tenant.js";

let edge: Edge;
beforeAll(async () => {
  const outside = await mkdtemp(join(tmpdir(), "manilla-console-"));
  const folder = join(outside, "console");
  await mkdir(join(folder, "assets", "inner.js"), { recursive: true });
  await writeFile(join(outside, "secret.js"), "secret");
  await writeFile(join(folder, "index.html"), "<!doctype html><title>Console</title>");
  await writeFile(join(folder, "assets", "index-Ab_c-1.js"), "run()");
  await writeFile(join(folder, "assets", "index-Ab_c-1.js.gz"), gzipSync("run()"));
  await writeFile(join(folder, "assets", "notes.txt"), "no asset");
  await writeFile(join(folder, "licences.txt"), "react 19 (MIT)");
  edge = await startEdge({ consoleFolder: folder });
});
afterAll(() => edge.stop());

const get = (path: string, headers = {}) => edge.send({ path, headers });

test.each(["/console", "/console/", "/console/transactions/8f?status=FAILED", "/console/sessions"])(
  "answers the page at %s, for no tenant too, and lets no cache keep it",
  async (path) => {
    const answer = await get(path, { Host: "nobody.test" });
    expect(answer).toMatchObject({ status: 200, text: expect.stringContaining("<title>Console") });
    expect(answer.headers).toMatchObject({ "content-type": "text/html; charset=utf-8", "cache-control": "no-store" });
    const policy = answer.headers["content-security-policy"];
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).not.toContain("unsafe");
  },
);

test("the page says whose desk it is, and nothing where the host is nobody's", async () => {
  const named = await get("/console", { Host: "demo.test" });
  expect(named.text).toBe(
    '<!doctype html><title>Console</title><meta name="organisation" content="demo &#38; &#34;Sons&#34;" />',
  );
  const unknown = await get("/console", { Host: "nobody.test" });
  expect(unknown.text).toContain('<meta name="organisation" content="" />');
});

test("the page comes without a name while nobody says whose desk it is", async () => {
  const never = new Promise<never>(() => {});
  const nameOf = organisationName(() => never);
  const ctx = { req: { headersDistinct: { host: ["demo.test"] } }, state: { interactionId: "i" } };
  expect(await nameOf(ctx as unknown as EdgeContext)).toBe("");
});

test("the licences of what the page contains go with it", async () => {
  const answer = await get("/console/licences.txt");
  expect(answer).toMatchObject({ status: 200, text: "react 19 (MIT)" });
  expect(answer.headers).toMatchObject({ "content-type": "text/plain; charset=utf-8" });
});

test("an asset is kept for ever, and packed for who can unpack it", async () => {
  const plain = await get("/console/assets/index-Ab_c-1.js");
  expect(plain).toMatchObject({ status: 200, text: "run()" });
  expect(plain.headers).toMatchObject({
    "cache-control": "public, max-age=31536000, immutable",
    "content-type": "text/javascript; charset=utf-8",
    vary: "Accept-Encoding",
  });
  expect(plain.headers["content-encoding"]).toBeUndefined();
  const packed = await get("/console/assets/index-Ab_c-1.js", { "Accept-Encoding": "gzip" });
  expect(packed).toMatchObject({ status: 200, headers: { "content-encoding": "gzip" } });
});

test.each([
  "/console/assets/gone-12345678.js",
  "/console/assets/",
  "/console/assets/inner.js",
  "/console/assets/notes.txt",
  "/console/assets/index-Ab_c-1.js.gz",
  "/console/assets/../../secret.js",
  "/console/assets/..%2F..%2Fsecret.js",
  "/console/assets/%2e%2e/%2e%2e/secret.js",
  "/console/assets/..%5c..%5csecret.js",
  "/sandbox/console/assets/index-Ab_c-1.js",
  "/sandbox/console",
])("%s is not there", async (path) => {
  const answer = await get(path);
  expect(answer.status).toBe(404);
  expect(answer.headers["cache-control"]).toBe("no-store");
});

test("the page is only read", async () => {
  expect((await edge.send({ method: "POST", path: "/console/transactions", body: {} })).status).toBe(404);
});
