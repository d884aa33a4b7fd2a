import { createServer } from "node:net";

/** A TCP port on the loopback address that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const port = await tryListen(0);
  if (port === undefined) throw new Error("the system gave no free port");
  return port;
}

/** Whether `port` can be listened on; looks at one address, the loopback by default. */
export async function isPortFree(port: number, host = "127.0.0.1"): Promise<boolean> {
  return (await tryListen(port, host)) !== undefined;
}

function tryListen(port: number, host = "127.0.0.1"): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE" || error.code === "EACCES") resolve(undefined);
      else reject(error);
    });
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      const bound = typeof address === "object" && address ? address.port : undefined;
      server.close(() => resolve(bound));
    });
  });
}
