import { get } from "node:http";

/** Whether a process answers on its admin port (plain HTTP) that it is ready. */
export function isProcessReady(adminPort: number): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get({ host: "127.0.0.1", port: adminPort, path: "/readyz", agent: false, timeout: 1_000 });
    request.once("response", (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.once("timeout", () => request.destroy());
    request.once("error", () => resolve(false));
    request.once("close", () => resolve(false));
  });
}
