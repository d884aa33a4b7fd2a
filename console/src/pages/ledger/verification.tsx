import { useParams } from "@tanstack/react-router";
import { CircleCheck, LoaderCircle } from "lucide-react";
import { useTexts } from "../../lib/language";
import { KeyValue } from "../../ui/facts";
import { Id, None, Time } from "../../ui/figures";
import { Link } from "../../ui/link";
import { Columns, Page } from "../../ui/page";
import { Empty, Loaded, Section } from "../../ui/panels";
import { Person } from "../../ui/person";
import { Table } from "../../ui/table";
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
        <Table
          label={t.faults}
          rows={faults}
          rowKey={(_fault, index) => index}
          columns={[
            { header: t.sequence, cell: ({ sequence }) => (sequence === undefined ? <None /> : String(sequence)) },
            { header: t.difference, cell: ({ difference }) => <span className="text-bad">{difference}</span> },
            { header: t.transfer, cell: ({ transferId }) => <Ref id={transferId} page={transferPage} /> },
            { header: t.account, cell: ({ accountId }) => <Ref id={accountId} page={accountPage} /> },
          ]}
        />
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
