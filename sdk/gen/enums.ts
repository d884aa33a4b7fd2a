import { resolved, type Document, type Schema } from "./document.js";
import { heading } from "./printed.js";

/**
 * Lists that the console offers or filters by: where the document has each, as
 * Schema.member or operation?parameter.
 */
const places = {
  aggregateComparisons: "RuleAggregate.comparison",
  aggregateMeasures: "RuleAggregate.measure",
  agentScopes: "OrganisationPreferenceChange.agentScope",
  allocationParts: "LoanProductTerms.allocationOrder",
  amortisations: "LoanProductTerms.amortisation",
  apiTokenExpiries: "ApiTokenRequest.expiry",
  approvalStatuses: "Approval.status",
  businessDayRules: "LoanProductTerms.businessDayRule",
  caseKinds: "ComplianceCase.kind",
  caseOutcomes: "ComplianceCase.outcome",
  casePriorities: "ComplianceCase.priority",
  caseQueues: "listCases?queue",
  caseStatuses: "ComplianceCase.status",
  caseTags: "ComplianceCase.tags",
  customerStatuses: "Customer.status",
  deliveryMethods: "Transaction.type",
  deliveryStatuses: "WebhookDelivery.status",
  exemptionStates: "ScreeningExemption.state",
  genders: "IdentityDocument.gender",
  identityDocumentTypes: "IdentityDocument.type",
  instalmentFrequencies: "LoanProductTerms.frequency",
  interestMethods: "LoanProductTerms.interestMethod",
  investmentCompoundings: "InvestmentProductRequest.compounding",
  investmentDayCounts: "InvestmentProductRequest.dayCount",
  investmentPayouts: "InvestmentProductRequest.payout",
  investmentPenalties: "InvestmentProductRequest.penalty.kind",
  investmentProductStatuses: "InvestmentProductRequest.status",
  journalKinds: "JournalRequest.kind",
  journalStatuses: "Journal.status",
  listParts: "LoadScreeningListRequest.files.part",
  listSources: "ScreeningExemption.source",
  listStatuses: "ScreeningList.status",
  loanApplicationStatuses: "listLoanApplications?status",
  loanDayCounts: "LoanProductTerms.dayCount",
  messageChannels: "NotificationTemplate.channel",
  overrideStatuses: "ComplianceOverride.customerStatus",
  payableTypes: "Payable.type",
  payoffInterests: "LoanProductTerms.payoffInterest",
  payoutOutcomes: "PayoutOutcomeRequest.outcome",
  payoutPointTypes: "PayoutPoint.type",
  pluginMethods: "PluginRoute.method",
  pluginStatuses: "Plugin.status",
  reinvestments: "InvestmentProductRequest.reinvestment",
  releases: "ReleaseScreeningHitRequest.transactions",
  requiredDetailMoments: "RequiredDetail.at",
  requiredDetails: "RequiredDetail.detail",
  ruleActions: "TransactionRule.action",
  ruleVisibilities: "TransactionRule.visibility",
  screenedKinds: "NewBeneficiary.kind",
  screeningStatuses: "Screening.status",
  screeningTriggers: "Screening.trigger",
  settlementKinds: "Settlement.kind",
  settlements: "SettlePayoutRequest.outcome",
  settlementStatuses: "Settlement.status",
  transparencyDestinations: "TransparencyRow.destination",
  transparencyFundings: "TransparencyRow.funding",
  transparencyMembers: "TransparencyRow.members",
  transparencyMissing: "TransparencyProfile.onMissing",
  transparencyProfiles: "TransparencyProfile.profile",
  yearOfBirthRules: "ScreeningPolicy.otherYearOfBirth",
};

/** The members of these enums. Throws where the document has none at a place. */
export function printEnums(document: Document): string {
  const lists = Object.entries(places).map(([name, place]) => {
    const found = at(document, place).find((schema) => schema.enum !== undefined)?.enum;
    if (found === undefined) throw new Error(`the document has no enum at ${place}`);
    return `export const ${name} = ${JSON.stringify(found.filter((member) => member !== null))} as const;\n`;
  });
  return `${heading}${lists.join("")}`;
}

function at(document: Document, place: string): Schema[] {
  const [operationId, parameter] = place.split("?");
  if (parameter !== undefined) {
    const operation = Object.values(document.paths)
      .flatMap((item) => Object.values(item))
      .find((each) => each.operationId === operationId);
    return (operation?.parameters ?? [])
      .filter(({ name }) => name === parameter)
      .flatMap(({ schema }) => parts(schema));
  }
  const [name = "", ...members] = place.split(".");
  const from = parts(document.components.schemas[name] ?? {});
  return members.reduce((all, member) => all.flatMap((schema) => parts(schema.properties?.[member] ?? {})), from);

  function parts(schema: Schema): Schema[] {
    const one = resolved(document, schema);
    const inner = [one.anyOf, one.oneOf, one.allOf, one.items && [one.items]].flatMap((list) => list ?? []);
    return [one, ...inner.flatMap(parts)];
  }
}
