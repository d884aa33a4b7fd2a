import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Stamp } from "lucide-react";
import { useState } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { useMay, useUser } from "../../lib/use-session";
import { Button } from "../../ui/button";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { KeyValue } from "../../ui/facts";
import { Figure, Id, Time } from "../../ui/figures";
import { Page } from "../../ui/page";
import { Loaded, Section } from "../../ui/panels";
import { Person } from "../../ui/person";
import { useAction } from "../../ui/use-action";
import { useWord } from "../compliance/codes";
import { Loader, ListStatus } from "./lists";
import { texts } from "./texts";
import type { ScreeningList } from "./types";

// It is read in the background: the page follows.
const loadingMs = 2_000;

export default function ListVersion() {
  const t = useTexts(texts);
  const word = useWord();
  const { listId } = useParams({ strict: false }) as { listId: string };
  const found = useQuery({
    ...read("screenings", "readScreeningList", { listId }, (options) =>
      api.compliance.readScreeningList(listId, options),
    ),
    refetchInterval: ({ state }) => (state.data?.status === "LOADING" ? loadingMs : false),
  });
  const { data } = found;
  return (
    <Page
      title={data ? `${word(data.source)} ${data.version}` : t.listsTitle}
      badge={data && <ListStatus status={data.status} />}
      back={{ to: "/screening-lists", label: t.listsTitle }}
      actions={data && <Approve list={data} />}
    >
      <Loaded query={found}>
        {(list) => (
          <>
            {list.reason && <Reason list={list} />}
            <Section title={t.version}>
              <KeyValue
                columns={3}
                hideEmpty
                facts={[
                  { label: t.source, value: word(list.source) },
                  { label: t.policy, value: list.isUsed ? t.on : t.offUnused },
                  { label: t.whose, value: list.isOperators ? t.operators : t.own },
                  { label: t.entries, value: <Figure value={list.entries} /> },
                  { label: t.added, value: <Figure value={list.added} /> },
                  { label: t.changed, value: <Figure value={list.changed} /> },
                  { label: t.removed, value: <Figure value={list.removed} /> },
                  { label: t.published, value: <Time at={list.publishedAt} /> },
                  { label: t.loaded, value: <Time at={list.loadedAt} /> },
                  { label: t.loadedBy, value: <Loader by={list.loadedBy} /> },
                  { label: t.approvedBy, value: list.approvedBy && <Person id={list.approvedBy} /> },
                  { label: t.id, value: <Id value={list.listId} /> },
                  { label: "SHA-256", value: <Id value={list.sha256} /> },
                ]}
              />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Reason({ list }: { list: ScreeningList }) {
  const t = useTexts(texts);
  const isBad = list.status === "FAILED";
  return (
    <p
      className={`rounded-lg border border-line px-3 py-2 [overflow-wrap:anywhere] ${isBad ? "bg-bad-soft text-bad" : "bg-warn-soft text-warn"}`}
    >
      {list.line !== undefined && <>{t.line(String(list.line))}: </>}
      {list.reason}
    </p>
  );
}

function Approve({ list }: { list: ScreeningList }) {
  const t = useTexts(texts);
  const may = useMay();
  const user = useUser();
  const [isAsking, setAsking] = useState(false);
  const approve = useAction({
    operation: "approveScreeningList",
    run: (_reason: string, options) => api.compliance.approveScreeningList(list.listId, options),
    stales: ["screenings"],
    done: t.approved,
  });
  if (list.status !== "WAITING" || list.isOperators || !may("approveScreeningList")) return null;
  const isOwn = list.loadedBy === user.id;
  return (
    <>
      {isOwn && <span className="self-center text-muted">{t.loadedYourself}</span>}
      <Button icon={Stamp} variant="primary" disabled={isOwn} onClick={() => setAsking(true)}>
        {t.approve}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t.approveTitle}
          confirm={t.approve}
          reason="none"
          action={approve}
          onClose={() => setAsking(false)}
        >
          <p className="mb-2 [overflow-wrap:anywhere]">{list.reason}</p>
          <p className="text-muted">{t.approveHint}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
