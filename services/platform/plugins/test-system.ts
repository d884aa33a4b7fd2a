import type { CertificationTarget } from "../certification/test-partner.js";
import type { Exchange } from "../partners/exchange.js";
import { isSandbox } from "../sandbox/sandbox.js";
import { httpAccessOf } from "./http-access.js";
import type { Installation } from "./installations.js";
import type { PluginCheck } from "./test-runs.js";

/**
 * A partner as its checks reach it: at `testUrl`, or a sandbox's at `url`. Undefined
 * where a live one names no test system, or names itself as one: whoever works in
 * earnest would do what the checks ask.
 */
export function testSystemOf(installation: Installation, tenantId: string): Installation | undefined {
  const { configuration } = installation;
  const { url, testUrl } = configuration as { url: string; testUrl?: string };
  if (testUrl === undefined) return isSandbox(tenantId) ? installation : undefined;
  if (!isSandbox(tenantId) && isSamePlace(url, testUrl)) return undefined;
  return { ...installation, configuration: { ...configuration, url: testUrl } };
}

/** How the checks of a partner that speaks JSON over HTTP reach it. */
export function certificationTargetOf(at: Installation, tenantId: string, exchange: Exchange): CertificationTarget {
  const { access, timeoutMs } = httpAccessOf(at);
  return {
    url: `${new URL(access.url).origin}${access.pathPrefix ?? ""}`,
    apiKey: access.apiKey,
    account: access.account ?? tenantId,
    timeoutMs,
    exchange,
  };
}

/**
 * What a test without a test system finds. `does` is what the checks would do
 * in earnest, such as "pays out".
 */
export function noTestSystem(does: string): PluginCheck {
  const detail = `configuration.testUrl names no other address than url: a test ${does}, so a live partner is tested at its test system`;
  return { name: "a test system is named", result: "FAILED", detail, durationMs: 0 };
}

function isSamePlace(one: string, other: string): boolean {
  const place = (text: string) => {
    const { origin, pathname } = new URL(text);
    return `${origin}${pathname.replace(/\/+$/, "")}`;
  };
  return place(one) === place(other);
}
