import { useQuery } from "@tanstack/react-query";
import { api, type AnswerOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { Badge, StatusBadge } from "../../ui/badge";
import { KeyValue } from "../../ui/facts";
import { Day } from "../../ui/figures";
import { Columns } from "../../ui/page";
import { Empty, Loaded, Section } from "../../ui/panels";
import { Table } from "../../ui/table";
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
          <ComplianceStatus compliance={found} />
        </Columns>
      )}
    </Loaded>
  );
}

function ComplianceStatus({ compliance }: { compliance: Compliance }) {
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
    <Table
      label={t.requirements}
      rows={requirements}
      rowKey={({ requirementId }) => requirementId}
      columns={[
        {
          header: t.requirement,
          cell: ({ requirement, mandatory, cycle, reason }) => (
            <>
              {inWords(requirement)}
              <p className="text-xs text-muted">
                {[mandatory ? t.mandatory : t.optional, cycle > 1 && t.renewal(String(cycle - 1)), reason]
                  .filter(Boolean)
                  .join(" · ")}
              </p>
            </>
          ),
        },
        {
          header: t.status,
          cell: ({ inReview, status }) => (
            <StatusBadge
              status={inReview ? "IN_REVIEW" : status}
              {...(status === "OUTSTANDING" && { tone: "warn" as const })}
            />
          ),
        },
        { header: t.asked, cell: (row) => <Day at={row.createdAt} /> },
        { header: t.fulfilled, cell: (row) => <Day at={row.fulfilledAt} /> },
        { header: t.expires, cell: (row) => <Day at={row.expiresAt} /> },
      ]}
    />
  );
}
