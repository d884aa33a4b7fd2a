/**
 * Names of the collections of remittance's database; what keeps versions has a second one, see
 * `versionCollections`.
 */
export const collections = {
  bankFiles: "bank_files",
  bankFileTries: "bank_file_tries",
  bankMarks: "bank_marks",
  bankMessages: "bank_messages",
  bankOrders: "bank_orders",
  bankReports: "bank_reports",
  beneficiaries: "beneficiaries",
  blockOrders: "block_orders",
  branches: "branches",
  corridorChanges: "corridor_changes",
  corridors: "corridors",
  corridorVersions: "corridor_versions",
  disclosureChanges: "disclosure_changes",
  disclosureTemplates: "disclosure_templates",
  forcedOrders: "forced_orders",
  forcedPayouts: "forced_payouts",
  heldRates: "held_rates",
  markups: "markups",
  payeeChecks: "payee_checks",
  payoutBatches: "payout_batches",
  payoutCallbacks: "payout_callbacks",
  payoutPoints: "payout_points",
  priceVersions: "price_versions",
  promotions: "promotions",
  promotionUses: "promotion_uses",
  quotes: "quotes",
  rateFeeds: "rate_feeds",
  rates: "rates",
  rateTellings: "rate_tellings",
  recipientLooks: "recipient_looks",
  reportCreators: "report_creators",
  reportDays: "report_days",
  reportExports: "report_exports",
  reportPieces: "report_pieces",
  statementReaders: "statement_readers",
  transactions: "transactions",
  watchedInstallations: "watched_installations",
} as const;

/** Where every version of something is kept beside the one that holds. */
export function versionCollections(name: string): { current: string; versions: string } {
  return { current: name, versions: `${name}_versions` };
}
