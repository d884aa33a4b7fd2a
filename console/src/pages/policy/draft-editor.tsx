import { ApiError } from "@manilla/client";
import { Save } from "lucide-react";
import { useState } from "react";
import { api } from "../../lib/api";
import { useLanguage, useTexts } from "../../lib/language";
import { Button } from "../../ui/button";
import { Diff } from "../../ui/facts";
import { Time } from "../../ui/figures";
import { ErrorPanel, Section } from "../../ui/panels";
import { Person } from "../../ui/person";
import { useAction } from "../../ui/use-action";
import { changesBetween, contentOf, dotted, type Faults } from "./content";
import { Members, Rows } from "./editor";
import { PlaceFaults } from "./inputs";
import { JsonEditor } from "./json-editor";
import { Publish } from "./publish";
import { policyParts } from "./shape";
import { texts, useFieldName, usePathName } from "./texts";
import { StandardRows } from "./transparency";
import { Trial } from "./trial";
import type { Content, Draft, Published, SaveBody } from "./types";

interface Props {
  draft: Draft | null;
  start: Content;
  inForce: Published | null;
  onDiscard: () => void;
}

interface Edited {
  content: Content;
  /** Of the draft that the changes are made to; 0 where there was none. */
  revision: number;
}

/**
 * The next policy as a form or as JSON; saved onto the revision that was read, tried,
 * and published by somebody else.
 */
export function DraftEditor({ draft, start, inForce, onDiscard }: Props) {
  const t = useTexts(texts);
  const [edited, setEdited] = useState<Edited | undefined>(
    draft === null ? { content: start, revision: 0 } : undefined,
  );
  const [isJson, setJson] = useState(false);
  const content = edited?.content ?? start;
  const revision = draft?.revision ?? 0;
  const save = useAction({
    operation: "saveCompliancePolicyDraft",
    run: ({ content: sent, revision: onto }: Edited) =>
      api.compliance.savePolicyDraft({ ...sent, revision: onto } as SaveBody),
    stales: ["policy"],
    done: t.saved,
    onDone: () => setEdited(undefined),
  });
  const faults: Faults = save.error instanceof ApiError ? save.error.errors : [];
  const isOthers = edited !== undefined && edited.revision !== revision;
  const edit = (after: unknown) => setEdited({ content: after as Content, revision: edited?.revision ?? revision });
  return (
    <div className="flex flex-col gap-4">
      <div className="card sticky top-0 z-10 flex flex-wrap items-center gap-2 px-4 py-2">
        <span className="mr-auto text-muted">
          {draft === null ? (
            t.notSaved
          ) : (
            <>
              {t.revision(String(draft.revision))} · <Person id={draft.savedBy} /> · <Time at={draft.savedAt} />
            </>
          )}
        </span>
        <Button onClick={() => setJson(!isJson)}>{isJson ? t.asForm : t.asJson}</Button>
        {edited && <Button onClick={() => (setEdited(undefined), onDiscard())}>{t.discard}</Button>}
        <Button
          icon={Save}
          variant="primary"
          disabled={edited === undefined || isOthers}
          busy={save.isRunning}
          onClick={() => edited && void save.run(edited)}
        >
          {t.save}
        </Button>
        {draft && <Publish draft={draft} isEdited={edited !== undefined} />}
      </div>
      {isOthers && (
        <div role="alert" className="flex flex-wrap items-center gap-2 rounded-lg bg-warn-soft px-3 py-2 text-warn">
          <span className="mr-auto">{t.others}</span>
          <Button onClick={() => setEdited(undefined)}>{t.takeTheirs}</Button>
          <Button onClick={() => setEdited({ ...edited, revision })}>{t.keepMine}</Button>
        </div>
      )}
      <ErrorPanel error={save.error} />
      <FaultList faults={faults} />
      {isJson ? (
        <JsonEditor key={revision} value={content} onChange={edit} />
      ) : (
        <>
          <Parts content={content} faults={faults} onChange={edit} />
          <StandardRows profiles={(draft ?? inForce)?.transparencyProfiles ?? []} />
        </>
      )}
      <WhatChanges before={inForce && contentOf(inForce)} after={content} />
      {draft && <Trial isEdited={edited !== undefined} />}
    </div>
  );
}

function Parts({
  content,
  faults,
  onChange,
}: {
  content: Content;
  faults: Faults;
  onChange: (after: Content) => void;
}) {
  const nameOf = useFieldName();
  return policyParts.map(({ name, shape }) => {
    const place = {
      path: name,
      label: nameOf(name),
      value: content[name as keyof Content],
      faults,
      onChange: (after: unknown) => onChange({ ...content, [name]: after }),
    };
    return (
      <Section key={name} title={nameOf(name)}>
        {shape.kind === "list" && <Rows shape={shape} {...place} />}
        {shape.kind === "object" && (
          <>
            <PlaceFaults faults={faults} path={name} whole={false} />
            <Members fields={shape.fields} {...place} />
          </>
        )}
      </Section>
    );
  });
}

/** All faults by their paths, so that none hides in a part that is folded or has no field. */
function FaultList({ faults }: { faults: Faults }) {
  const t = useTexts(texts);
  if (faults.length === 0) return null;
  return (
    <ul aria-label={t.faults} className="rounded-lg border border-bad/40 px-3 py-2">
      {faults.map(({ path, message }) => (
        <li key={path + message} className="[overflow-wrap:anywhere]">
          <code className="text-xs">{dotted(path)}</code>: <span className="text-bad">{message}</span>
        </li>
      ))}
    </ul>
  );
}

const mostChanges = 200;

function WhatChanges({ before, after }: { before: Content | null; after: Content }) {
  const t = useTexts(texts);
  const pathName = usePathName();
  const language = useLanguage();
  const changes = changesBetween(before ?? {}, after, language);
  return (
    <Section title={t.whatChanges(String(changes.length))} flush>
      {changes.length === 0 ? (
        <p className="p-4 text-muted">{t.sameAsInForce}</p>
      ) : (
        <Diff
          changes={changes.slice(0, mostChanges).map(({ path, ...rest }) => ({ field: pathName(path), ...rest }))}
        />
      )}
    </Section>
  );
}
