import type { SenderAccess } from "../partner/sender.js";
import type { Installation } from "./installations.js";

const defaultTimeoutMs = 3_000;

/** How a partner that speaks JSON over HTTP is reached: by `url`, `account` and `timeoutMs`, and the secret `apiKey`. */
export function httpAccessOf({ configuration, secrets }: Pick<Installation, "configuration" | "secrets">): {
  access: SenderAccess;
  timeoutMs: number;
} {
  const { url, account, timeoutMs } = configuration;
  const access = {
    url: String(url),
    pathPrefix: new URL(String(url)).pathname.replace(/\/+$/, ""),
    apiKey: secrets["apiKey"] ?? "",
    ...(typeof account === "string" && { account }),
  };
  return { access, timeoutMs: typeof timeoutMs === "number" ? timeoutMs : defaultTimeoutMs };
}
