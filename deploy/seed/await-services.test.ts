import { createServer, type Server } from "node:net";
import type { AddressInfo } from "node:net";
import { awaitServices } from "./await-services.js";

const listen = (port = 0) =>
  new Promise<Server>((resolve) => {
    const server = createServer((socket) => socket.destroy()).listen(port, "127.0.0.1", () => resolve(server));
  });
const portOf = (server: Server) => (server.address() as AddressInfo).port;

test("whoever seeds waits for a service that is not there yet, and says for which", async () => {
  const [there, late] = [await listen(), await listen()];
  const addresses = [there, late].map((server) => `127.0.0.1:${portOf(server)}`);
  await new Promise((resolve) => late.close(resolve));
  const lines: string[] = [];
  let begun: Promise<Server> | undefined;
  await awaitServices(addresses, 60, (line) => {
    lines.push(line);
    begun ??= listen(portOfAddress(addresses[1]!));
  });
  expect(lines).toEqual([`waiting for ${addresses[1]}`]);
  for (const server of [there, await begun!]) server.close();
});

test("what never answers is named", async () => {
  const gone = await listen();
  const address = `127.0.0.1:${portOf(gone)}`;
  await new Promise((resolve) => gone.close(resolve));
  await expect(awaitServices([address, "no-such-host.invalid:9090"], 0, () => {})).rejects.toThrow(
    `${address}, no-such-host.invalid:9090 did not answer within 0 s.`,
  );
});

const portOfAddress = (address: string) => Number(address.split(":")[1]);
