import { useParams } from "@tanstack/react-router";
import { CircleCheck, LoaderCircle } from "lucide-react";
import { useTexts } from "../../lib/language";
import { KeyValue } from "../../ui/facts";
import { Id, None, Time } from "../../ui/figures";
import { Link } from "../../ui/link";
import { Columns, Page } from "../../ui/page";
import { Empty, Loaded, Section } from "../../ui/panels";
import { Person } from "../../ui/person";
import { accountPage, transferPage } from "./paths";
import { texts } from "./texts";
import type { Verification } from "./types";
import { Progress, useVerification, VerificationStatus } from "./verification-parts";

export default function VerificationPage() {
  const t = useTexts(texts);
  const { verificationId } = useParams({ strict: false }) as { verificationId: string };
  const verification = useVerification(verificationId);
  const { data } = verification;
  return (
    <Page
      title={t.verification}
      badge={data && <VerificationStatus status={data.status} />}
      back={{ to: "/ledger?show=verifications", label: t.verifications }}
    >
      <Loaded query={verification} lines={6}>
        {(found) => (
          <Columns>
            <Faults verification={found} />
            <Section title={t.verification}>
              <KeyValue
                columns={1}
                facts={[
                  { label: t.checked, value: <Progress verification={found} /> },
                  { label: t.started, value: <Time at={found.startedAt} seconds /> },
                  { label: t.ended, value: <Time at={found.endedAt} seconds /> },
                  { label: t.by, value: <Person id={found.startedBy} /> },
                  { label: t.head, value: <Id value={found.headHash} /> },
                  { label: t.id, value: <Id value={found.verificationId} /> },
                ]}
              />
            </Section>
          </Columns>
        )}
      </Loaded>
    </Page>
  );
}

function Faults({ verification: { faults, status } }: { verification: Verification }) {
  const t = useTexts(texts);
  return (
    <Section title={t.faults} flush={faults.length > 0}>
      {faults.length === 0 ? (
        <Empty
          icon={status === "RUNNING" ? LoaderCircle : CircleCheck}
          title={status === "RUNNING" ? t.noFaultYet : t.noFault}
        />
      ) : (
        <table className="table as-cards" aria-label={t.faults}>
          <thead>
            <tr>
              <th scope="col">{t.sequence}</th>
              <th scope="col">{t.difference}</th>
              <th scope="col">{t.transfer}</th>
              <th scope="col">{t.account}</th>
            </tr>
          </thead>
          <tbody>
            {faults.map(({ sequence, transferId, accountId, difference }, index) => (
              <tr key={index}>
                <td data-label={t.sequence}>{sequence === undefined ? <None /> : String(sequence)}</td>
                <td data-label={t.difference} className="text-bad">
                  {difference}
                </td>
                <td data-label={t.transfer}>
                  <Ref id={transferId} page={transferPage} />
                </td>
                <td data-label={t.account}>
                  <Ref id={accountId} page={accountPage} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}

function Ref({ id, page }: { id: string | undefined; page: (id: string) => string }) {
  if (id === undefined) return <None />;
  return (
    <Link to={page(id)} className="link font-mono text-xs [overflow-wrap:anywhere]">
      {id}
    </Link>
  );
}
