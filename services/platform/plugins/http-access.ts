import type { SenderAccess } from "../partners/sender.js";
import type { Installation } from "./installations.js";
import { lackOf } from "./not-ready.js";

const defaultTimeoutMs = 3_000;

/**
 * How a partner that speaks JSON over HTTP is reached: by `url`, `account` and `timeoutMs`, and the
 * secret `apiKey`. Refuses UNAVAILABLE without that.
 */
export function httpAccessOf({
  installationId,
  configuration,
  secrets,
}: Pick<Installation, "installationId" | "configuration" | "secrets">): { access: SenderAccess; timeoutMs: number } {
  const { apiKey } = secrets;
  if (apiKey === undefined) throw lackOf(installationId, ["apiKey"]);
  const { url, account, timeoutMs } = configuration;
  const access = {
    url: String(url),
    pathPrefix: new URL(String(url)).pathname.replace(/\/+$/, ""),
    apiKey,
    ...(typeof account === "string" && { account }),
  };
  return { access, timeoutMs: typeof timeoutMs === "number" ? timeoutMs : defaultTimeoutMs };
}
