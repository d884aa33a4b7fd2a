/** Where what keeps the books open is seen to: by service and kind, else by its kind. */
const pages: Readonly<Record<string, string>> = {
  APPROVALS_OPEN: "/approvals",
  "wallet.SUSPENSE_OLD": "/money",
  "lending.SUSPENSE_OLD": "/loan-repayments?show=suspense",
  SETTLEMENTS_OPEN: "/settlements?open=true",
  JOURNALS_OPEN: "/journals?open=true",
  REVALUATION_MISSING: "/positions",
};

/** Undefined for what only operators mend. */
export function pageOf(service: string, kind: string): string | undefined {
  return pages[`${service}.${kind}`] ?? pages[kind];
}
