import type { PluginManifest } from "../manifest.js";
import { bankHttp } from "./bank-http.js";
import { cardHttp } from "./card-http.js";
import { contactHttp } from "./contact-http.js";
import { fxEcb } from "./fx-ecb.js";
import { fxHttp } from "./fx-http.js";
import { httpSms } from "./http-sms.js";
import { identityHttp } from "./identity-http.js";
import { iso20022 } from "./iso20022.js";
import { manillaHttp } from "./manilla-http.js";
import { payeeHttp } from "./payee-http.js";
import { screeningEu, screeningOfac, screeningUk, screeningUn } from "./screening-lists.js";
import { smtp } from "./smtp.js";

/** Every type that this version knows. */
export const pluginTypes: readonly PluginManifest[] = [
  manillaHttp,
  iso20022,
  bankHttp,
  cardHttp,
  fxHttp,
  fxEcb,
  smtp,
  httpSms,
  contactHttp,
  screeningOfac,
  screeningEu,
  screeningUn,
  screeningUk,
  identityHttp,
  payeeHttp,
];

export function pluginTypeOf(name: string): PluginManifest | undefined {
  return pluginTypes.find((type) => type.name === name);
}
