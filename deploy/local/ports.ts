import { randomInt } from "node:crypto";
import { createServer, type Server } from "node:net";

// Below the range that systems hand out for outgoing connections (from 32768 on Linux, 49152 on
// macOS): a process that is restarted finds its port still free.
const lowest = 20_000;
const highest = 30_000;

/** A TCP port of the loopback address that is free at this moment. */
export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  return port as number;
}

/** So many different free ports on the loopback address. */
export async function freePorts(count: number): Promise<number[]> {
  const held = new Map<number, Server>();
  try {
    for (let attempt = 0; held.size < count; attempt++) {
      if (attempt > count + 1_000) throw new Error(`no free port was found between ${lowest} and ${highest}`);
      const port = randomInt(lowest, highest);
      const server = held.has(port) ? undefined : await listen(port, "127.0.0.1");
      if (server) held.set(port, server);
    }
    return [...held.keys()];
  } finally {
    await Promise.all([...held.values()].map(close));
  }
}

/** Whether `port` can be listened on; looks at one address, the loopback by default. */
export async function isPortFree(port: number, host = "127.0.0.1"): Promise<boolean> {
  const server = await listen(port, host);
  if (server) await close(server);
  return server !== undefined;
}

function listen(port: number, host: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE" || error.code === "EACCES") resolve(undefined);
      else reject(error);
    });
    server.listen({ port, host, exclusive: true }, () => resolve(server));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
