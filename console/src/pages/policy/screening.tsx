import { useQuery } from "@tanstack/react-query";
import { FilePlus2 } from "lucide-react";
import { useState } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { useMay } from "../../lib/use-session";
import { Button } from "../../ui/button";
import { Diff, KeyValue, type Fact } from "../../ui/facts";
import { Time } from "../../ui/figures";
import { Page } from "../../ui/page";
import { Empty, Loaded, Section } from "../../ui/panels";
import { Person } from "../../ui/person";
import { Tabs } from "../../ui/tabs";
import { useWord } from "../compliance/codes";
import { Publish } from "./publish";
import { ScreeningForm } from "./screening-form";
import { ScreeningTrial } from "./screening-trial";
import { texts, useFieldName } from "./texts";
import type { ScreeningContent, ScreeningDraft, ScreeningPolicy } from "./types";

async function readDraft(
  options: Parameters<typeof api.compliance.readScreeningPolicyDraft>[0],
): Promise<ScreeningDraft | null> {
  const draft = await api.compliance.readScreeningPolicyDraft(options);
  return draft.revision === 0 ? null : draft;
}

export default function ScreeningPolicyPage() {
  const t = useTexts(texts);
  const policy = useQuery(
    read("policy", "readScreeningPolicy", {}, (options) => api.compliance.readScreeningPolicy(options)),
  );
  return (
    <Page title={t.screeningTitle} about={t.screeningAbout}>
      <Loaded query={policy} lines={6}>
        {(inForce) => (
          <Tabs
            label={t.screeningTitle}
            name="show"
            tabs={[
              { key: "inForce", label: t.inForce, content: <InForce policy={inForce} /> },
              { key: "draft", label: t.draft, content: <DraftTab inForce={inForce} /> },
            ]}
          />
        )}
      </Loaded>
    </Page>
  );
}

function DraftTab({ inForce }: { inForce: ScreeningPolicy }) {
  const draft = useQuery(read("policy", "readScreeningPolicyDraft", {}, (options) => readDraft(options)));
  return <Loaded query={draft}>{(found) => <Draft inForce={inForce} draft={found} />}</Loaded>;
}

function InForce({ policy }: { policy: ScreeningPolicy }) {
  const t = useTexts(texts);
  const facts = useFacts();
  return (
    <Section title={policy.version === 0 ? t.platformPolicy : t.versionNumber(String(policy.version))}>
      <KeyValue
        columns={3}
        hideEmpty
        facts={[
          ...facts(policy),
          { label: t.published, value: policy.publishedAt && <Time at={policy.publishedAt} /> },
          { label: t.publishedBy, value: policy.publishedBy && <Person id={policy.publishedBy} /> },
          { label: t.draftedBy, value: policy.draftedBy && <Person id={policy.draftedBy} /> },
        ]}
      />
    </Section>
  );
}

/** What a policy says, in words. */
function useFacts(): (content: ScreeningContent) => (Fact & { value: string })[] {
  const t = useTexts(texts);
  const word = useWord();
  const nameOf = useFieldName();
  return (content) => [
    { label: nameOf("lists"), value: content.lists.map(word).join(", ") },
    { label: nameOf("threshold"), value: `${content.threshold} ‰` },
    { label: nameOf("otherYearOfBirth"), value: word(content.otherYearOfBirth) },
    { label: nameOf("yearTolerance"), value: String(content.yearTolerance) },
    { label: nameOf("staleAfterHours"), value: String(content.staleAfterHours) },
    { label: nameOf("rescreenAfterDays"), value: String(content.rescreenAfterDays) },
    { label: nameOf("blocksSender"), value: content.blocksSender ? t.yes : t.no },
  ];
}

function Draft({ inForce, draft }: { inForce: ScreeningPolicy; draft: ScreeningDraft | null }) {
  const t = useTexts(texts);
  const may = useMay();
  const [isEditing, setEditing] = useState(false);
  if (draft === null) {
    return (
      <Section title={t.draft}>
        <Empty title={t.noDraft}>
          <p className="mb-3">{t.noDraftHint}</p>
          {may("saveScreeningPolicyDraft") && (
            <Button icon={FilePlus2} variant="primary" onClick={() => setEditing(true)}>
              {t.begin}
            </Button>
          )}
        </Empty>
        {isEditing && <ScreeningForm start={inForce} revision={0} onClose={() => setEditing(false)} />}
      </Section>
    );
  }
  return (
    <div className="flex flex-col gap-4">
      <Section
        title={t.draft}
        actions={
          <>
            <Button onClick={() => setEditing(true)}>{t.edit}</Button>
            <Publish draft={draft} isEdited={false} ofScreening />
          </>
        }
      >
        <p className="mb-3 text-muted">
          {t.revision(String(draft.revision))} · <Person id={draft.savedBy} /> · <Time at={draft.savedAt} />
        </p>
        <Differences before={inForce} after={draft} />
        {isEditing && <ScreeningForm start={draft} revision={draft.revision} onClose={() => setEditing(false)} />}
      </Section>
      <ScreeningTrial />
    </div>
  );
}

function Differences({ before, after }: { before: ScreeningContent; after: ScreeningContent }) {
  const t = useTexts(texts);
  const facts = useFacts();
  const was = facts(before);
  const changes = facts(after)
    .map(({ label, value }, index) => ({ field: label, before: was[index]?.value, after: value }))
    .filter((change) => change.before !== change.after);
  return changes.length === 0 ? <p>{t.sameAsInForce}</p> : <Diff changes={changes} />;
}
