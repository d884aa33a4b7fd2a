import type { SenderAccess } from "../partner/sender.js";
import type { Installation } from "./installations.js";

const defaultTimeoutMs = 3_000;

/** How a partner is reached that speaks HTTP with JSON by one of our contracts. */
export function accessOf({ configuration, secrets }: Pick<Installation, "configuration" | "secrets">): {
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
