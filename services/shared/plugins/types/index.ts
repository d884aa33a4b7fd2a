import type { PluginManifest } from "../manifest.js";
import { contactHttp } from "./contact-http.js";
import { httpSms } from "./http-sms.js";
import { identityHttp } from "./identity-http.js";
import { manillaHttp } from "./manilla-http.js";
import { screeningEu, screeningOfac, screeningUk, screeningUn } from "./screening-lists.js";
import { smtp } from "./smtp.js";

/** Every type that this version knows. */
export const pluginTypes: readonly PluginManifest[] = [
  manillaHttp,
  smtp,
  httpSms,
  contactHttp,
  screeningOfac,
  screeningEu,
  screeningUn,
  screeningUk,
  identityHttp,
];

export function pluginTypeOf(name: string): PluginManifest | undefined {
  return pluginTypes.find((type) => type.name === name);
}
