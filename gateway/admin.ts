import { createServer } from "node:http";

export interface Admin {
  setReady(ready: boolean): void;
  stop(): Promise<void>;
}

/** Plain HTTP for the orchestrator: /healthz says the process lives, /readyz that it takes requests. */
export async function startAdmin(port: number, host: string): Promise<Admin> {
  let ready = true;
  const server = createServer((req, res) => {
    const known = req.url === "/healthz" || req.url === "/readyz";
    const ok = known && (ready || req.url === "/healthz");
    res.statusCode = ok ? 200 : known ? 503 : 404;
    res.setHeader("Content-Type", "text/plain");
    res.end(ok ? "ok\n" : known ? "draining\n" : "not found\n");
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  return {
    setReady: (value) => {
      ready = value;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
