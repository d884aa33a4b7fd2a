import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createHttpNotifications, isRefusedForGood } from "./notifications.js";

const message = { reference: "R", channel: "EMAIL", to: "a@x.example", subject: "s", text: "t" } as const;
let status = 200;
const server = createServer((_request, response) => response.writeHead(status).end("{}"));
beforeAll(() => new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening)));
afterAll(() => new Promise((closed) => server.close(closed)));

/** What a caller makes of an answer. */
async function answered(with_: number): Promise<"TAKEN" | "REFUSED" | "AGAIN"> {
  status = with_;
  const access = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, apiKey: "k" };
  const notifications = createHttpNotifications({ live: access, sandbox: undefined });
  return notifications.send("bank", message).then(
    () => "TAKEN" as const,
    (error: unknown) => (isRefusedForGood(error) ? "REFUSED" : "AGAIN"),
  );
}

test.each([
  [202, "TAKEN"],
  [409, "TAKEN"],
  [400, "REFUSED"],
  [413, "REFUSED"],
  [422, "REFUSED"],
  // Neither says anything of the message: the address, the method or the key may be put right.
  [401, "AGAIN"],
  [403, "AGAIN"],
  [404, "AGAIN"],
  [405, "AGAIN"],
  [503, "AGAIN"],
] as const)("a connector that answers %d: %s", async (code, what) => {
  expect(await answered(code)).toBe(what);
});

test("a tenant without a connector waits for one", async () => {
  const nobody = createHttpNotifications({ live: undefined, sandbox: undefined });
  await expect(nobody.send("bank", message)).rejects.toMatchObject({ code: "UNAVAILABLE" });
});
