import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Download, Undo2 } from "lucide-react";
import { useState } from "react";
import { api } from "../../lib/api";
import { saveFile } from "../../lib/files";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { useMay } from "../../lib/use-session";
import { StatusBadge } from "../../ui/badge";
import { Button, IconButton } from "../../ui/button";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { KeyValue } from "../../ui/facts";
import { Day, Figure, Id, Time } from "../../ui/figures";
import { Link } from "../../ui/link";
import { Page, Stack } from "../../ui/page";
import { ErrorPanel, Loaded, Section } from "../../ui/panels";
import { Person } from "../../ui/person";
import { Table } from "../../ui/table";
import { useAction } from "../../ui/use-action";
import { PackageBadge } from "./package-badge";
import { usePeriodText } from "./period-text";
import { texts } from "./texts";
import type { Closing } from "./types";

// A package of a million transfers takes a minute: it is asked about until it is complete.
const buildingMs = 2_000;

export default function ClosingPage() {
  const t = useTexts(texts);
  const may = useMay();
  const periodText = usePeriodText();
  const { closingNumber } = useParams({ strict: false }) as { closingNumber: string };
  const [isReopening, setReopening] = useState(false);
  const closing = useQuery({
    ...read("books", "readClosing", { closingNumber }, (options) => api.books.readClosing(closingNumber, options)),
    refetchInterval: ({ state }) =>
      state.data === undefined || state.data.packageStatus === "DONE" ? false : buildingMs,
  });
  const { data } = closing;
  const isStanding = data !== undefined && data.supersededAt === undefined;
  return (
    <Page
      title={data === undefined ? t.closing : t.closingOf(String(data.number), periodText(data.period))}
      badge={data && <StateBadge closing={data} />}
      back={{ to: "/close", label: t.title }}
      actions={
        isStanding &&
        may("reopenPeriod") && (
          <Button icon={Undo2} onClick={() => setReopening(true)}>
            {t.reopen}
          </Button>
        )
      }
    >
      <Loaded query={closing} lines={8}>
        {(found) => (
          <Stack>
            <Facts closing={found} />
            <Files closing={found} />
          </Stack>
        )}
      </Loaded>
      {isReopening && data && (
        <Reopen period={data.period} name={periodText(data.period)} onClose={() => setReopening(false)} />
      )}
    </Page>
  );
}

function StateBadge({ closing: { supersededAt } }: { closing: Closing }) {
  const t = useTexts(texts);
  if (supersededAt === undefined) return <StatusBadge status="STANDS" label={t.stands} tone="good" />;
  return <StatusBadge status="SUPERSEDED" label={t.superseded} tone="neutral" />;
}

function Facts({ closing }: { closing: Closing }) {
  const t = useTexts(texts);
  const { from, through, afterSequence, throughSequence, mappingVersion, packageStatus, packageTransfers } = closing;
  const count = <Figure value={String(packageTransfers)} />;
  return (
    <Section title={t.closing}>
      <KeyValue
        columns={3}
        facts={[
          {
            label: t.days,
            value: (
              <>
                <Day at={from} /> – <Day at={through} />
              </>
            ),
          },
          { label: t.by, value: <Person id={closing.closedBy} /> },
          { label: t.when, value: <Time at={closing.closedAt} /> },
          { label: t.package, value: <PackageBadge status={packageStatus} /> },
          { label: t.transfers, value: packageStatus === "DONE" ? count : t.soFar(String(packageTransfers)) },
          { label: t.sequences, value: `${String(afterSequence + 1)} – ${String(throughSequence)}` },
          { label: t.mapping, value: mappingVersion === 0 ? t.ownCodes : String(mappingVersion) },
          ...(closing.supersededAt === undefined
            ? []
            : [{ label: t.superseded, value: <Time at={closing.supersededAt} /> }]),
          { label: t.head, value: <Id value={closing.headHash} /> },
        ]}
      />
    </Section>
  );
}

// Whatever is saved has the bytes whose hash stands beside it: no type for which a mark is added.
const asItIs = "application/octet-stream";

function Files({ closing: { number, files, packageStatus } }: { closing: Closing }) {
  const t = useTexts(texts);
  const save = useAction({
    operation: "readPackageFile",
    run: async (name: string, options) => {
      const content = await api.books.readPackageFile(String(number), name, options);
      return saveFile(content, name, asItIs);
    },
    done: t.isSaved,
  });
  if (packageStatus !== "DONE") {
    return (
      <Section title={t.files}>
        <p role="status" className="text-muted">
          {t.building}
        </p>
      </Section>
    );
  }
  return (
    <Section title={t.files} flush>
      <ErrorPanel error={save.error} />
      <Table
        label={t.files}
        rows={files}
        rowKey={({ name }) => name}
        columns={[
          { header: t.file, cell: ({ name }) => <span className="font-mono text-xs">{name}</span> },
          { header: t.size, isNumber: true, cell: ({ bytes }) => <Figure value={String(bytes)} unit="B" /> },
          { header: t.sha256, cell: ({ sha256 }) => <Id value={sha256} /> },
          {
            header: t.doIt,
            cell: ({ name }) => (
              <IconButton icon={Download} label={t.download(name)} onClick={() => void save.run(name)} />
            ),
          },
        ]}
      />
      <p className="border-t border-line px-4 py-2 text-xs text-muted">{t.verify}</p>
    </Section>
  );
}

function Reopen({ period, name, onClose }: { period: string; name: string; onClose: () => void }) {
  const t = useTexts(texts);
  const reopen = useAction({
    operation: "reopenPeriod",
    run: (reason: string, options) => api.books.reopenPeriod(period, { reason }, options),
    stales: ["books", "approvals"],
    done: ({ approvalStatus }) => (approvalStatus === "PENDING" ? t.reopenAsked : t.reopenDone),
  });
  return (
    <ConfirmDialog title={t.reopenTitle(name)} confirm={t.reopen} danger action={reopen} onClose={onClose}>
      <p className="text-muted">{t.reopenHint}</p>
      <p className="mt-2">
        <Link to="/approvals" className="link">
          {t.approvals}
        </Link>
      </p>
    </ConfirmDialog>
  );
}
