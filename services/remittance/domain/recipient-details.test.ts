import type { Refusal } from "../../kernel/refusal.js";
import { parseRecipientDetails, type RecipientDraft } from "./recipient-details.js";

const today = "2026-11-23";
const nothing: RecipientDraft = {
  kind: "",
  dateOfBirth: "",
  nationality: "",
  address: undefined,
  lei: "",
  phoneNumber: "",
};
const home = { lines: ["7 Broad Street"], city: "Lagos", region: "", postalCode: "", country: "NG" };
const parsed = (part: Partial<RecipientDraft>) => parseRecipientDetails({ ...nothing, ...part }, today);

function faultsOf(part: Partial<RecipientDraft>): string[] {
  try {
    parsed(part);
  } catch (error) {
    const { code, details } = error as Refusal;
    return [code, ...(details?.errors ?? []).map(({ path }) => path)];
  }
  throw new Error("nothing was refused");
}

test("nothing given is nothing known", () => {
  expect(parsed({})).toBeUndefined();
});

test("countries become alpha-3, an address keeps what it has, a child may be paid", () => {
  expect(parsed({ kind: "PERSON", dateOfBirth: today, nationality: "GH", address: home })).toEqual({
    kind: "PERSON",
    dateOfBirth: today,
    nationality: "GHA",
    address: { lines: ["7 Broad Street"], city: "Lagos", country: "NGA" },
  });
});

test("a company has its LEI (ISO 17442) in capitals, a telephone number is kept in E.164", () => {
  const given = { kind: "COMPANY", lei: "5493001kjtiigc8y1r12", phoneNumber: "+234 (0)803 123 4567" };
  expect(parsed(given)).toEqual({ kind: "COMPANY", lei: "5493001KJTIIGC8Y1R12", phoneNumber: "+2348031234567" });
});

test.each<[Partial<RecipientDraft>, string[]]>([
  [{ kind: "TRUST" }, ["kind"]],
  [{ dateOfBirth: "2026-11-24" }, ["dateOfBirth"]],
  [{ dateOfBirth: "1899-12-31" }, ["dateOfBirth"]],
  [{ dateOfBirth: "2025-02-29" }, ["dateOfBirth"]],
  [{ dateOfBirth: "14/03/1988" }, ["dateOfBirth"]],
  [{ kind: "COMPANY", dateOfBirth: "1988-03-14" }, ["dateOfBirth"]],
  [{ kind: "COMPANY", lei: "5493001KJTIIGC8Y1R13" }, ["lei"]],
  [{ kind: "PERSON", lei: "5493001KJTIIGC8Y1R12" }, ["lei"]],
  [{ lei: "5493001KJTIIGC8Y1R12" }, ["lei"]],
  [{ phoneNumber: "0803 123 4567" }, ["phoneNumber"]],
  [{ phoneNumber: "+234 803" }, ["phoneNumber"]],
  [{ nationality: "Narnia" }, ["nationality"]],
  [{ address: { ...home, lines: ["a", "b", "c"] } }, ["address.lines"]],
  [{ address: { ...home, lines: Array.from({ length: 5_000 }, () => "x") } }, ["address.lines"]],
  [{ address: { ...home, lines: ["x".repeat(10_000)] } }, ["address.lines[0]"]],
  [{ address: { ...home, city: "La\u200bgos" } }, ["address.city"]],
  [{ address: { ...home, region: "\u202eLagos" } }, ["address.region"]],
  [{ address: { ...home, postalCode: "1".repeat(13) } }, ["address.postalCode"]],
  [{ address: { ...home, country: "" } }, ["address.country"]],
  [{ kind: "x", nationality: "y", address: { ...home, city: "" } }, ["kind", "nationality", "address.city"]],
])("%j is refused by path", (part, paths) => {
  expect(faultsOf(part)).toEqual(["INVALID_INPUT", ...paths]);
});

test.each(["\u0644\u0627\u06af\u0648\u0633", "\u{1f3e0} Lagos", "L"])("%s is carried as it is written", (city) => {
  expect(parsed({ address: { ...home, city } })?.address?.city).toBe(city);
});
