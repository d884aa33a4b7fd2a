import { createServer, type AddressInfo } from "node:net";

import { startAdmin } from "./admin.js";

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test("is alive at once, ready when told so, and nothing else", async () => {
  const port = await freePort();
  const admin = await startAdmin(port, "127.0.0.1");
  const status = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
  try {
    expect(await status("/healthz")).toBe(200);
    expect(await status("/readyz")).toBe(503);
    admin.setReady(true);
    expect(await status("/readyz")).toBe(200);
    admin.setReady(false);
    expect(await status("/readyz")).toBe(503);
    expect(await status("/")).toBe(404);
  } finally {
    await admin.stop();
  }
});
