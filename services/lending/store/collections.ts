/** Names of lending's collections. */
export const collections = {
  products: "loan_products",
  calendars: "holiday_calendars",
  applications: "loan_applications",
  loans: "loans",
  repayments: "repayments",
  payoffs: "payoffs",
  quotes: "payoff_quotes",
  overpaymentRefunds: "overpayment_refunds",
  credits: "bank_credits",
  postings: "postings",
  tenants: "lending_tenants",
  ranges: "accrual_ranges",
} as const;
