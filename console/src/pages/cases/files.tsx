import { Download, Paperclip } from "lucide-react";
import { useRef, useState } from "react";
import { api } from "../../lib/api";
import { saveFile } from "../../lib/files";
import { useTexts } from "../../lib/language";
import { Button, IconButton } from "../../ui/button";
import { Time } from "../../ui/figures";
import { ErrorPanel, Section } from "../../ui/panels";
import { Person } from "../../ui/person";
import { useAction } from "../../ui/use-action";
import { readWhole, sizeText, uploadInParts } from "../compliance/file-parts";
import { texts } from "./texts";
import type { Case } from "./types";

type CaseFile = Case["files"][number];

const accepted = "application/pdf,image/jpeg,image/png";
const mostBytes = 10_485_760;

/** Letters and pictures of a case; each reading is written down. */
export function CaseFiles({ of }: { of: Case }) {
  const t = useTexts(texts);
  const input = useRef<HTMLInputElement>(null);
  const [share, setShare] = useState<number>();
  const [fault, setFault] = useState<string>();
  const attach = useAction({
    operation: "attachCaseFile",
    run: async (file: File, options) => {
      const sent = await uploadInParts(file, (part) => api.compliance.uploadCaseFilePart(of.caseId, part), setShare);
      return api.compliance.attachCaseFile(of.caseId, { ...sent, name: file.name }, options);
    },
    stales: ["cases"],
    done: t.attached,
  });
  const choose = async (file: File | undefined) => {
    if (file === undefined) return;
    setFault(file.size > mostBytes ? t.tooBig : undefined);
    if (file.size <= mostBytes) await attach.run(file);
    setShare(undefined);
  };
  return (
    <Section
      title={`${t.files} (${of.files.length})`}
      actions={
        <Button icon={Paperclip} busy={attach.isRunning} onClick={() => input.current?.click()}>
          {attach.isRunning && share !== undefined ? t.sending(String(Math.floor(share * 100))) : t.attach}
        </Button>
      }
    >
      <input
        ref={input}
        type="file"
        accept={accepted}
        aria-label={t.attach}
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = "";
          void choose(file);
        }}
      />
      {fault && (
        <p role="alert" className="mb-2 text-bad">
          {fault}
        </p>
      )}
      <ErrorPanel error={attach.error} />
      {of.files.length === 0 ? (
        <p className="text-muted">{t.noFiles}</p>
      ) : (
        <ul className="flex flex-col gap-2">
          {of.files.map((file) => (
            <li key={file.fileId}>
              <File_ caseId={of.caseId} file={file} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function File_({ caseId, file }: { caseId: string; file: CaseFile }) {
  const t = useTexts(texts);
  const save = useAction({
    operation: "readCaseFile",
    run: async () => {
      const bytes = await readWhole((offset) =>
        api.compliance.readCaseFile(caseId, file.fileId, offset === undefined ? {} : { offset }),
      );
      return saveFile(bytes, file.name, file.mediaType);
    },
  });
  return (
    <>
      <div className="flex items-start justify-between gap-2">
        <div className="min-w-0">
          <p className="font-medium [overflow-wrap:anywhere]">{file.name}</p>
          <p className="text-xs text-muted">
            {sizeText(file.sizeBytes)} · <Person id={file.attachedBy} /> · <Time at={file.attachedAt} />
          </p>
        </div>
        <IconButton
          icon={Download}
          label={t.save(file.name)}
          disabled={save.isRunning}
          onClick={() => void save.run()}
        />
      </div>
      <ErrorPanel error={save.error} />
    </>
  );
}
