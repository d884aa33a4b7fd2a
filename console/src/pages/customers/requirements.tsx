import { useQuery } from "@tanstack/react-query";
import { api, type AnswerOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { Badge, StatusBadge } from "../../ui/badge";
import { KeyValue } from "../../ui/facts";
import { Day } from "../../ui/figures";
import { Columns } from "../../ui/page";
import { Empty, Loaded, Section } from "../../ui/panels";
import { inWords } from "../../ui/words";
import { toneOfStatus } from "./list";
import { RiskFactors, toneOfProfile } from "./risk";
import { texts } from "./texts";
import type { Customer } from "./types";

type Compliance = AnswerOf<typeof api.compliance.readCustomer>;

/** What compliance asks of them, what is fulfilled, and what it makes of it. */
export function Requirements({ customer: { customerId } }: { customer: Customer }) {
  const t = useTexts(texts);
  const compliance = useQuery(
    read("customers", "readCustomerCompliance", { customerId }, (options) =>
      api.compliance.readCustomer(customerId, options),
    ),
  );
  return (
    <Loaded query={compliance} lines={6}>
      {(found) => (
        <Columns>
          <Section title={t.requirements} flush>
            <RequirementTable requirements={found.requirements} />
          </Section>
          <Standing compliance={found} />
        </Columns>
      )}
    </Loaded>
  );
}

function Standing({ compliance }: { compliance: Compliance }) {
  const t = useTexts(texts);
  const { risk } = compliance;
  return (
    <Section title={t.standing}>
      <div className="flex flex-col gap-4">
        <KeyValue
          columns={2}
          hideEmpty
          facts={[
            {
              label: t.status,
              value: <StatusBadge status={compliance.status} tone={toneOfStatus(compliance.status)} />,
            },
            { label: t.decision, value: <StatusBadge status={compliance.decision} /> },
            { label: t.because, value: compliance.reason },
            { label: t.policyVersion, value: compliance.policyVersion },
            {
              label: t.riskScore,
              value: risk && (
                <span className="flex items-center gap-2">
                  <strong className="figures">{risk.score}</strong>
                  <Badge tone={toneOfProfile(risk.profile)}>{inWords(risk.profile)}</Badge>
                </span>
              ),
            },
          ]}
        />
        {risk && <RiskFactors factors={risk.factors} />}
      </div>
    </Section>
  );
}

function RequirementTable({ requirements }: { requirements: Compliance["requirements"] }) {
  const t = useTexts(texts);
  if (requirements.length === 0) return <Empty title={t.noRequirements}>{t.noRequirementsHint}</Empty>;
  return (
    <table className="table as-cards" aria-label={t.requirements}>
      <thead>
        <tr>
          <th scope="col">{t.requirement}</th>
          <th scope="col">{t.status}</th>
          <th scope="col">{t.asked}</th>
          <th scope="col">{t.fulfilled}</th>
          <th scope="col">{t.expires}</th>
        </tr>
      </thead>
      <tbody>
        {requirements.map((each) => (
          <tr key={each.requirementId}>
            <td data-label={t.requirement}>
              <div>
                {inWords(each.requirement)}
                <p className="text-xs text-muted">
                  {[
                    each.mandatory ? t.mandatory : t.optional,
                    each.cycle > 1 && t.renewal(String(each.cycle - 1)),
                    each.reason,
                  ]
                    .filter(Boolean)
                    .join(" · ")}
                </p>
              </div>
            </td>
            <td data-label={t.status}>
              <StatusBadge
                status={each.inReview ? "IN_REVIEW" : each.status}
                {...(each.status === "OUTSTANDING" && { tone: "warn" as const })}
              />
            </td>
            <td data-label={t.asked}>
              <Day at={each.createdAt} />
            </td>
            <td data-label={t.fulfilled}>
              <Day at={each.fulfilledAt} />
            </td>
            <td data-label={t.expires}>
              <Day at={each.expiresAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
