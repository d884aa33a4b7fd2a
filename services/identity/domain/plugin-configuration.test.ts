import { iso20022 } from "../../platform/plugins/types/iso20022.js";
import { manillaHttp } from "../../platform/plugins/types/manilla-http.js";
import { bankConfiguration } from "../../../test/support/file-bank.js";
import { parseConfiguration } from "./plugin-configuration.js";

const faultsOf = (configuration: object, type: typeof iso20022 = iso20022): unknown => {
  try {
    return parseConfiguration(JSON.stringify(configuration), type, true);
  } catch (error) {
    return (error as { details: { errors: unknown } }).details.errors;
  }
};

test("a purpose goes with a code of ISO's list, and with no other", () => {
  const given = (purposes: object) => faultsOf({ ...bankConfiguration, purposes });
  expect(given({ FAMILY_SUPPORT: "GIFT" })).toMatchObject({ purposes: { FAMILY_SUPPORT: "GIFT" } });
  const path = "configuration.purposes.FAMILY_SUPPORT";
  const message = "must be one of the codes that the type's schema lists";
  for (const code of ["FAMI", "gift", "", 1]) {
    expect(given({ FAMILY_SUPPORT: code })).toEqual(expect.arrayContaining([{ path, message }]));
  }
  const tooLong = "x".repeat(141);
  const isNoName = { path: `configuration.purposes.${tooLong}`, message: "is not allowed as a name" };
  expect(given({ [tooLong]: "GIFT" })).toEqual([isNoName]);
});

test("whose account is debited has a town and a country", () => {
  const { debtorCity: _city, debtorCountry: _country, ...rest } = bankConfiguration;
  expect(faultsOf(rest)).toEqual([
    { path: "configuration.debtorCity", message: "is required" },
    { path: "configuration.debtorCountry", message: "is required" },
  ]);
});

test("a payout connector speaks contract 1 or 2", () => {
  const given = (contract: unknown) => faultsOf({ url: "https://payouts.example", contract }, manillaHttp);
  expect(given(2)).toMatchObject({ contract: 2 });
  for (const contract of [0, 3, "2"]) expect(given(contract)).toMatchObject([{ path: "configuration.contract" }]);
});
