import { proofsFor, type Enrolled, type GuardedChange, type Proof } from "./step-up.js";

const nothing: Enrolled = { totp: false, pin: false, phone: true, otpRequired: false, pinRequired: false };

test.each<[string, Partial<Enrolled>, GuardedChange, Proof[]]>([
  ["a first PIN where nothing is asked for", {}, "PIN", []],
  ["a first authenticator where nothing is asked for", {}, "OTP", []],
  ["a contact where nothing is enrolled", {}, "CONTACT", ["SMS", "EMAIL"]],
  ["a contact without a phone number", { phone: false }, "CONTACT", ["EMAIL"]],
  ["a first PIN that payments ask for", { pinRequired: true }, "PIN", ["SMS", "EMAIL"]],
  ["another PIN", { pin: true }, "PIN", ["PIN", "SMS"]],
  ["another PIN without a phone number", { pin: true, phone: false }, "PIN", ["PIN"]],
  ["another PIN beside an authenticator", { pin: true, totp: true }, "PIN", ["PIN", "TOTP", "SMS"]],
  ["an authenticator beside a PIN", { pin: true }, "OTP", ["PIN", "SMS"]],
  ["an authenticator where codes are asked for", { otpRequired: true }, "OTP", ["SMS", "EMAIL"]],
  ["the same beside a PIN", { pin: true, otpRequired: true }, "OTP", ["SMS", "EMAIL_AND_PIN"]],
  ["codes off with an authenticator", { totp: true, otpRequired: true }, "OTP", ["TOTP", "SMS"]],
  ["a contact beside a PIN", { pin: true }, "CONTACT", ["PIN", "SMS"]],
  ["a contact where codes are asked for", { otpRequired: true }, "CONTACT", ["SMS", "EMAIL"]],
  ["the same beside a PIN", { pin: true, otpRequired: true }, "CONTACT", ["SMS", "EMAIL_AND_PIN"]],
  ["an API token beside a PIN", { pin: true, otpRequired: true }, "API_TOKEN", ["PIN"]],
  ["an API token beside an authenticator", { pin: true, totp: true }, "API_TOKEN", ["TOTP"]],
  ["an API token where nothing is enrolled", { otpRequired: true }, "API_TOKEN", []],
  ["a contact of staff with an authenticator", { totp: true, phone: false }, "CONTACT", ["TOTP"]],
])("%s", (_, enrolled, change, proofs) => {
  expect(proofsFor(change, { ...nothing, ...enrolled })).toEqual(proofs);
});

test("a mail, which resets the password, never changes a PIN, nor what would change one", () => {
  for (const phone of [true, false]) {
    for (const otpRequired of [true, false]) {
      for (const totp of [true, false]) {
        const enrolled = { ...nothing, phone, otpRequired, totp, pin: true };
        for (const change of ["PIN", "OTP", "CONTACT", "API_TOKEN"] as const) {
          expect(proofsFor(change, enrolled)).not.toContain("EMAIL");
        }
        expect(proofsFor("PIN", enrolled)).not.toContain("EMAIL_AND_PIN");
      }
    }
  }
});
