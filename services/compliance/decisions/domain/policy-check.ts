import type { Money } from "../../../kernel/money.js";
import { Refusal } from "../../../kernel/refusal.js";
import {
  checkAmount,
  checkCondition,
  checkCountries,
  oneOf,
  type ConditionDraft,
  type Report,
} from "./condition-check.js";
import { counterContacts, type CounterRules } from "./counter.js";
import { riskProfiles } from "./conditions.js";
import {
  profilesOf,
  requirements,
  ruleActions,
  visibilities,
  type KnowYourCustomerRule,
  type PolicyContent,
  type TransactionRule,
} from "./policy.js";
import { checkRiskModel, defaultRiskModel, type RiskModel } from "./risk-model.js";
import { checkProfiles, countryOfTwo, type ProfileDraft } from "./transparency-check.js";

/** A policy as it was asked for, with nothing checked yet. */
export interface PolicyDraft {
  knowYourCustomerRules: (Omit<KnowYourCustomerRule, "requirement" | "riskProfiles"> & {
    requirement: string;
    riskProfiles: string[];
  })[];
  transactionRules: (Omit<TransactionRule, "action" | "visibility" | "condition"> & {
    action: string;
    visibility: string;
    condition: ConditionDraft;
  })[];
  dailyLimits: (Money | undefined)[];
  riskModel?: RiskModel;
  transparencyProfiles?: ProfileDraft[];
  counter?: { seenDocuments: boolean; optionalContacts: string[] };
}

type Fault = { path: string; message: string };

const maxRules = 500;
const maxValidityDays = 36_525;
const maxNameLength = 200;
const maxDescriptionLength = 2_000;
const rulesId = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/;
const documentName = /^[A-Z][A-Z0-9_]{1,63}$/;

/**
 * The policy that a draft describes, with ids made from names where none are given and countries as
 * alpha-3. Refuses INVALID_INPUT naming the path of every fault, PROFILE_EXISTS.
 */
export function checkPolicy(draft: PolicyDraft): PolicyContent {
  const faults: Fault[] = [];
  const report: Report = (path, message) => void faults.push({ path, message });
  checkCount(draft.knowYourCustomerRules, "knowYourCustomerRules", report);
  checkCount(draft.transactionRules, "transactionRules", report);
  const content: PolicyContent = {
    knowYourCustomerRules: draft.knowYourCustomerRules.map((rule, index) =>
      checkKnowYourCustomerRule(rule, `knowYourCustomerRules[${index}]`, report),
    ),
    transactionRules: draft.transactionRules.map((rule, index) =>
      checkTransactionRule(rule, `transactionRules[${index}]`, report),
    ),
    dailyLimits: checkDailyLimits(draft.dailyLimits, report),
    riskModel: draft.riskModel === undefined ? defaultRiskModel : checkRiskModel(draft.riskModel, "riskModel", report),
    transparencyProfiles: checkProfiles(draft.transparencyProfiles ?? [], report),
    counter: checkCounter(draft.counter, report),
  };
  giveIds(content.knowYourCustomerRules, "knowYourCustomerRules", report);
  giveIds(content.transactionRules, "transactionRules", report);
  const [first] = faults;
  if (first !== undefined) {
    throw new Refusal("INVALID_INPUT", `${first.path}: ${first.message}`, { errors: faults });
  }
  const country = countryOfTwo(profilesOf(content));
  if (country !== undefined) throw new Refusal("PROFILE_EXISTS", `${country} has a transparency profile already`);
  return content;
}

function checkCounter({ seenDocuments, optionalContacts } = noDraft, report: Report): CounterRules {
  if (optionalContacts.length > counterContacts.length) {
    report("counter.optionalContacts", `at most ${counterContacts.length}`);
  }
  const contacts = optionalContacts
    .slice(0, counterContacts.length)
    .map((name, index) => oneOf(counterContacts, name, `counter.optionalContacts[${index}]`, report));
  return { seenDocuments, optionalContacts: [...new Set(contacts)] };
}

const noDraft: NonNullable<PolicyDraft["counter"]> = { seenDocuments: false, optionalContacts: [] };

function checkCount(rules: unknown[], path: string, report: Report): void {
  if (rules.length > maxRules) report(path, `at most ${maxRules} rules`);
}

function checkKnowYourCustomerRule(
  rule: PolicyDraft["knowYourCustomerRules"][number],
  path: string,
  report: Report,
): KnowYourCustomerRule {
  checkTexts(rule, path, report);
  checkValidity(rule.validityDays, path, report);
  return {
    ...rule,
    requirement: oneOf(requirements, rule.requirement, `${path}.requirement`, report),
    riskProfiles: rule.riskProfiles.map((name, index) =>
      oneOf(riskProfiles, name, `${path}.riskProfiles[${index}]`, report),
    ),
    countries: checkCountries(rule.countries, `${path}.countries`, report),
  };
}

function checkValidity(days: number | undefined, path: string, report: Report): void {
  if (days !== undefined && (days < 1 || days > maxValidityDays)) {
    report(`${path}.validityDays`, `must be 1 to ${maxValidityDays}`);
  }
}

function checkTransactionRule(
  rule: PolicyDraft["transactionRules"][number],
  path: string,
  report: Report,
): TransactionRule {
  checkTexts(rule, path, report);
  checkValidity(rule.validityDays, path, report);
  const action = oneOf(ruleActions, rule.action, `${path}.action`, report);
  const visibility = oneOf(visibilities, rule.visibility, `${path}.visibility`, report);
  for (const [index, document] of rule.requiredDocuments.entries()) {
    if (!documentName.test(document)) {
      report(`${path}.requiredDocuments[${index}]`, "must be a name in capitals, such as SOURCE_OF_FUNDS");
    }
  }
  if (rule.action === "REQUIRE_DOCUMENTS" && rule.requiredDocuments.length === 0) {
    report(`${path}.requiredDocuments`, "must name at least one document, which this action asks for");
  }
  return { ...rule, action, visibility, condition: checkCondition(rule.condition, `${path}.condition`, report) };
}

function checkDailyLimits(limits: (Money | undefined)[], report: Report): Money[] {
  const currencies = new Set<string>();
  const checked: Money[] = [];
  for (const [index, limit] of limits.entries()) {
    const path = `dailyLimits[${index}].amount`;
    if (limit === undefined) {
      report(path, "is required");
      continue;
    }
    checkAmount(limit, path, report);
    if (currencies.has(limit.currency)) report(`${path}.currency`, `${limit.currency} has a limit already`);
    currencies.add(limit.currency);
    checked.push(limit);
  }
  return checked;
}

function checkTexts(rule: { id: string; name: string; description: string }, path: string, report: Report): void {
  if (rule.id !== "" && !rulesId.test(rule.id))
    report(`${path}.id`, 'must be 1 to 64 letters, digits, ".", "_", ":" or "-"');
  if (rule.name.trim() === "" || rule.name.length > maxNameLength) {
    report(`${path}.name`, `must have 1 to ${maxNameLength} characters`);
  }
  if (rule.description.length > maxDescriptionLength) {
    report(`${path}.description`, `must have at most ${maxDescriptionLength} characters`);
  }
}

/** Ids come from names, so that writing the same policy again gives the same ids. */
function giveIds(rules: { id: string; name: string }[], path: string, report: Report): void {
  const taken = new Set<string>();
  for (const [index, rule] of rules.entries()) {
    if (rule.id === "") continue;
    if (taken.has(rule.id)) report(`${path}[${index}].id`, `${rule.id} is used by another rule`);
    taken.add(rule.id);
  }
  for (const rule of rules) {
    if (rule.id === "") rule.id = freeId(slug(rule.name), taken);
    taken.add(rule.id);
  }
}

function slug(name: string): string {
  const letters = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
  return letters.slice(0, 48).replace(/-$/, "") || "rule";
}

function freeId(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  let suffix = 2;
  while (taken.has(`${wanted}-${suffix}`)) suffix++;
  return `${wanted}-${suffix}`;
}
