import { createServer } from "node:http";

export interface Admin {
  setReady(ready: boolean): void;
  stop(): Promise<void>;
}

/** Plain HTTP for the orchestrator: /healthz says that the process lives, /readyz that it takes calls. Not ready at first. */
export async function startAdmin(port: number, host: string): Promise<Admin> {
  let ready = false;
  const server = createServer((request, response) => {
    const known = request.url === "/healthz" || request.url === "/readyz";
    const ok = known && (ready || request.url === "/healthz");
    response.statusCode = ok ? 200 : known ? 503 : 404;
    response.setHeader("Content-Type", "text/plain");
    response.end(ok ? "ok\n" : known ? "not ready\n" : "not found\n");
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  return {
    setReady(value) {
      ready = value;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
