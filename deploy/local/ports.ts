import { randomInt } from "node:crypto";
import { createServer, type Server } from "node:net";

// Below the range that systems hand out for outgoing connections (from 32768 on Linux, 49152 on
// macOS): a process that is restarted finds its port still free.
const lowest = 20_000;
const highest = 30_000;

/** A TCP port of the loopback address that nobody listens on, see `freePorts`. */
export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  return port as number;
}

/**
 * So many different free ports on the loopback address. They are even, and the port above each is
 * held as long as this process lives: whoever else looks for ports here gets none of them, neither
 * before they are listened on nor while what listens there is restarted.
 */
export async function freePorts(count: number): Promise<number[]> {
  const found: number[] = [];
  for (let attempt = 0; found.length < count; attempt++) {
    if (attempt > count + 1_000) throw new Error(`no free port was found between ${lowest} and ${highest}`);
    const port = 2 * randomInt(lowest / 2, highest / 2);
    const claim = await listen(port + 1, "127.0.0.1");
    if (claim === undefined) continue;
    if (await isPortFree(port)) {
      claim.unref();
      found.push(port);
    } else await close(claim);
  }
  return found;
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
