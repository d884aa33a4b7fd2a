import { useLanguage, useTexts } from "../../lib/language";
import { grouped } from "../../lib/money";
import { Badge, type Tone } from "../../ui/badge";
import { KeyValue } from "../../ui/facts";
import { Money, None, Time } from "../../ui/figures";
import { Section } from "../../ui/panels";
import { Person } from "../../ui/person";
import { Rows } from "../../ui/rows";
import { inWords } from "../../ui/words";
import { useWord } from "../compliance/codes";
import { amountText, changesBetween } from "./content";
import { texts, useFieldName, usePathName } from "./texts";
import { TransparencyProfiles } from "./transparency";
import type { Published } from "./types";

const actionTones: Readonly<Record<string, Tone>> = { REQUIRE_DOCUMENTS: "accent", REVIEW: "warn", REJECT: "bad" };

/** A published policy, to be read. */
export function PolicyContent({ policy }: { policy: Published }) {
  const t = useTexts(texts);
  return (
    <div className="flex flex-col gap-4">
      <Section title={t.versionNumber(String(policy.version))}>
        <KeyValue
          columns={3}
          facts={[
            { label: t.published, value: <Time at={policy.publishedAt} /> },
            { label: t.publishedBy, value: <Person id={policy.publishedBy} /> },
            { label: t.draftedBy, value: <Person id={policy.draftedBy} /> },
          ]}
        />
      </Section>
      <TransactionRules policy={policy} />
      <CustomerRules policy={policy} />
      <TransparencyProfiles profiles={policy.transparencyProfiles} />
      <Limits policy={policy} />
    </div>
  );
}

function TransactionRules({ policy }: { policy: Published }) {
  const t = useTexts(texts);
  const word = useWord();
  const nameOf = useFieldName();
  return (
    <Section title={nameOf("transactionRules")} flush>
      <Rows
        label={nameOf("transactionRules")}
        rows={policy.transactionRules}
        rowKey={({ id }) => id}
        empty={t.noRules}
        columns={[
          { header: nameOf("name"), cell: (rule) => <RuleName rule={rule} /> },
          {
            header: nameOf("action"),
            cell: ({ action }) => <Badge tone={actionTones[action] ?? "neutral"}>{word(action)}</Badge>,
          },
          { header: t.when, cell: (rule) => <Condition condition={rule.condition} /> },
          {
            header: nameOf("requiredDocuments"),
            cell: (rule) => rule.requiredDocuments.map(inWords).join(", ") || <None />,
          },
          { header: nameOf("visibility"), cell: (rule) => word(rule.visibility) },
        ]}
      />
    </Section>
  );
}

function RuleName({ rule: { id, name, description } }: { rule: { id: string; name: string; description?: string } }) {
  return (
    <>
      <p className="font-medium">{name}</p>
      <p className="font-mono text-xs text-muted">{id}</p>
      {description && <p className="text-muted">{description}</p>}
    </>
  );
}

type Rule = Published["transactionRules"][number];

/** Each part of a condition a line; all of them have to hold. */
function Condition({ condition }: { condition: Rule["condition"] }) {
  const t = useTexts(texts);
  const pathName = usePathName();
  const language = useLanguage();
  const { aggregates = [], ...rest } = condition ?? {};
  const lines = changesBetween({}, rest, language);
  if (lines.length + aggregates.length === 0) return <span className="text-muted">{t.always}</span>;
  return (
    <ul className="text-left">
      {lines.map(({ path, after = "" }) => (
        <li key={path}>
          <span className="text-muted">{pathName(path)}:</span> {after}
        </li>
      ))}
      {aggregates.map((aggregate, index) => (
        <li key={index}>
          <Aggregate aggregate={aggregate} />
        </li>
      ))}
    </ul>
  );
}

type AggregateOf = NonNullable<NonNullable<Rule["condition"]>["aggregates"]>[number];

/** "Sum · 1 day · Above 10,000.00 USD · Sources of funds: CASH" */
function Aggregate({ aggregate }: { aggregate: AggregateOf }) {
  const t = useTexts(texts);
  const nameOf = useFieldName();
  const language = useLanguage();
  const { measure, of, days, comparison, amount, count, band, ...filters } = aggregate;
  const limit = amount ? amountText(amount, language) : String(count ?? "");
  const parts = [
    [inWords(measure), of && inWords(of)].filter(Boolean).join(" "),
    t.overDays(String(days)),
    `${inWords(comparison)} ${limit}`,
    band && `${nameOf("band")}: ${grouped(band.from.amount, language)} – ${amountText(band.below, language)}`,
    ...changesBetween({}, filters, language).map(({ path, after = "" }) => `${nameOf(path)}: ${after}`),
  ];
  return <>{parts.filter(Boolean).join(" · ")}</>;
}

function CustomerRules({ policy }: { policy: Published }) {
  const t = useTexts(texts);
  const word = useWord();
  const nameOf = useFieldName();
  return (
    <Section title={nameOf("knowYourCustomerRules")} flush>
      <Rows
        label={nameOf("knowYourCustomerRules")}
        rows={policy.knowYourCustomerRules}
        rowKey={({ id }) => id}
        empty={t.noRules}
        columns={[
          { header: nameOf("name"), cell: (rule) => <RuleName rule={rule} /> },
          { header: nameOf("requirement"), cell: (rule) => inWords(rule.requirement) },
          { header: nameOf("mandatory"), cell: (rule) => (rule.mandatory ? t.yes : t.no) },
          { header: nameOf("riskProfiles"), cell: (rule) => rule.riskProfiles.map(word).join(", ") || t.all },
          { header: nameOf("countries"), cell: (rule) => rule.countries.join(", ") || t.all },
          { header: nameOf("validityDays"), isNumber: true, cell: (rule) => rule.validityDays },
        ]}
      />
    </Section>
  );
}

function Limits({ policy }: { policy: Published }) {
  const t = useTexts(texts);
  const nameOf = useFieldName();
  const { dailyLimits, riskModel } = policy;
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
      <Section title={nameOf("dailyLimits")}>
        {dailyLimits.length === 0 ? (
          <p className="text-muted">{t.noLimits}</p>
        ) : (
          <ul>
            {dailyLimits.map(({ amount, currency }) => (
              <li key={currency}>
                <Money amount={amount} currency={currency} />
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Section title={nameOf("riskModel")}>
        <KeyValue
          columns={2}
          facts={Object.entries(riskModel).map(([name, value]) => ({
            label: nameOf(name),
            value: Array.isArray(value) ? value.join(", ") || <None /> : String(value),
          }))}
        />
      </Section>
    </div>
  );
}
