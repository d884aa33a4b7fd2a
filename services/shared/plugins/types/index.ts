import type { PluginManifest } from "../manifest.js";
import { bankHttp } from "./bank-http.js";
import { cardHttp } from "./card-http.js";
import { httpSms } from "./http-sms.js";
import { manillaHttp } from "./manilla-http.js";
import { smtp } from "./smtp.js";

/** Every type that this version knows. */
export const pluginTypes: readonly PluginManifest[] = [manillaHttp, smtp, httpSms, bankHttp, cardHttp];

export function pluginTypeOf(name: string): PluginManifest | undefined {
  return pluginTypes.find((type) => type.name === name);
}
