import type { ProfileName, TransparencyMember } from "../../../platform/transparency/members.js";
import type { TransparencyProfile, TransparencyRow } from "./transparency.js";

/** Currencies that amounts of a profile are in, the usual one first; OWN names its own. */
export const profileCurrencies: Readonly<Record<ProfileName, readonly string[]>> = {
  US_BSA: ["USD"],
  EU_TFR: ["EUR"],
  UK_FTR: ["EUR"],
  FATF_2025: ["USD", "EUR"],
  OWN: [],
};

const names: TransparencyMember[] = ["RECIPIENT_NAME", "RECIPIENT_ACCOUNT"];
const anybody = {
  isAbove: false,
  funding: "ANY",
  destination: "ANY",
  receivingCountries: [],
  isVerified: false,
} as const;

type StandardRow = Omit<TransparencyRow, "amount" | "receivingCountries"> & { minor: bigint; source: string };

// The customer's own identification stands in every order. Verified (Art. 4(4)) is a sender whose
// document was reviewed, as whoever was confirmed by rules that demand one.
const standard: Readonly<Record<ProfileName, readonly StandardRow[]>> = {
  US_BSA: [
    { ...anybody, minor: 3_000_00n, members: ["ADDRESS"], source: "31 CFR 1010.410(f)(1)" },
    {
      ...anybody,
      minor: 3_000_00n,
      funding: "CASH",
      members: ["ADDRESS", "IDENTITY_DOCUMENT_DETAILS"],
      isVerified: true,
      source: "31 CFR 1010.410(e)(1)(i) and (2)",
    },
  ],
  EU_TFR: [
    {
      ...anybody,
      minor: 0n,
      destination: "EEA",
      members: ["RECIPIENT_ACCOUNT"],
      source: "Regulation (EU) 2023/1113, Art. 5(1)",
    },
    {
      ...anybody,
      minor: 0n,
      destination: "OUTSIDE_EEA",
      members: names,
      source: "Regulation (EU) 2023/1113, Art. 6(2)",
    },
    {
      ...anybody,
      minor: 1_000_00n,
      isAbove: true,
      destination: "OUTSIDE_EEA",
      members: ["ADDRESS_OR_BIRTH", ...names],
      isVerified: true,
      source: "Regulation (EU) 2023/1113, Art. 4(1), (2) and (4)",
    },
    {
      ...anybody,
      minor: 0n,
      funding: "CASH",
      members: [],
      isVerified: true,
      source: "Regulation (EU) 2023/1113, Art. 5(3)(a) and 6(2)(a)",
    },
  ],
  UK_FTR: [
    {
      ...anybody,
      minor: 0n,
      destination: "DOMESTIC",
      members: ["RECIPIENT_ACCOUNT"],
      source: "Regulation (EU) 2015/847 as retained in UK law, Art. 5(1)",
    },
    {
      ...anybody,
      minor: 0n,
      destination: "ABROAD",
      members: names,
      source: "Regulation (EU) 2015/847 as retained in UK law, Art. 6(2)",
    },
    {
      ...anybody,
      minor: 1_000_00n,
      isAbove: true,
      destination: "ABROAD",
      members: ["ADDRESS_OR_BIRTH", ...names],
      isVerified: true,
      source: "Regulation (EU) 2015/847 as retained in UK law, Art. 4(1), (2) and (4)",
    },
    {
      ...anybody,
      minor: 0n,
      funding: "CASH",
      members: [],
      isVerified: true,
      source: "Regulation (EU) 2015/847 as retained in UK law, Art. 5(3)(a) and 6(2)(a)",
    },
  ],
  FATF_2025: [
    {
      ...anybody,
      minor: 0n,
      destination: "ABROAD",
      members: names,
      source: "FATF Recommendation 16 (June 2025), Interpretive Note: up to USD/EUR 1,000",
    },
    {
      ...anybody,
      minor: 1_000_00n,
      isAbove: true,
      destination: "ABROAD",
      members: ["ADDRESS", "DATE_OF_BIRTH", ...names, "RECIPIENT_COUNTRY", "RECIPIENT_ADDRESS"],
      source: "FATF Recommendation 16 (June 2025), Interpretive Note: above USD/EUR 1,000",
    },
  ],
  OWN: [],
};

/** The rows of a named profile, with where each is from; OWN has none. */
export function standardRows({
  profile,
  currency,
}: Pick<TransparencyProfile, "profile" | "currency">): TransparencyRow[] {
  return standard[profile].map(({ minor, ...row }) => ({
    ...row,
    amount: { minor, currency },
    receivingCountries: [],
  }));
}

/** All rows of a profile that hold: the named one's and the tenant's own. */
export function rowsOf(profile: TransparencyProfile): TransparencyRow[] {
  return [...standardRows(profile), ...profile.rows];
}
