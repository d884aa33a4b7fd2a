import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export interface Balancer {
  readonly port: number;
  /** Ends all connections: whoever needs one opens it anew. */
  cut(): void;
  close(): void;
}

/** Passes each new connection on to the port of the moment, as a Service does; old ones stay. */
export async function startBalancer(target: () => number): Promise<Balancer> {
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    clients.add(client);
    client.once("close", () => clients.delete(client));
    const upstream = connect(target(), "127.0.0.1");
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.setNoDelay(true);
      one.pipe(other);
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
    }
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => clients.forEach((client) => client.destroy()),
    close: () => server.close(),
  };
}
