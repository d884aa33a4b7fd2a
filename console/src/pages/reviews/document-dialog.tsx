import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useEffect, useState } from "react";
import { api } from "../../lib/api";
import { saveFile } from "../../lib/files";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { useMay, useUser } from "../../lib/use-session";
import { Button } from "../../ui/button";
import { Dialog, DialogActions } from "../../ui/dialog";
import { KeyValue } from "../../ui/facts";
import { Time } from "../../ui/figures";
import { Form, SelectField, SubmitButton, TextArea, useActionForm } from "../../ui/form";
import { Loaded } from "../../ui/panels";
import { Person } from "../../ui/person";
import { inWords } from "../../ui/words";
import { readWhole } from "../compliance/file-parts";
import { texts } from "./texts";
import type { ComplianceDocument } from "./types";

interface Props {
  document: ComplianceDocument;
  onClose: () => void;
}

/** What was handed in, and the word on it. That it was looked at is in the audit trail. */
export function DocumentDialog({ document, onClose }: Props) {
  const t = useTexts(texts);
  const may = useMay();
  const user = useUser();
  const content = useQuery({
    ...read("reviews", "readDocument", { documentId: document.documentId }, (options) =>
      readWhole((offset) =>
        api.compliance.readDocument(document.documentId, offset === undefined ? {} : { offset }, options),
      ),
    ),
    // Each reading is written down: one look is one reading.
    staleTime: Infinity,
    gcTime: 0,
  });
  const isOwn = document.submittedBy === user.id;
  return (
    <Dialog title={inWords(document.requirement)} wide onClose={onClose}>
      <div className="flex flex-col gap-4">
        <Loaded query={content} lines={8}>
          {(bytes) => <Content bytes={bytes} document={document} />}
        </Loaded>
        <KeyValue
          columns={3}
          hideEmpty
          facts={[
            { label: t.file, value: document.fileName },
            { label: t.handedIn, value: <Person id={document.submittedBy} /> },
            { label: t.since, value: <Time at={document.submittedAt} /> },
            { label: t.decidedBy, value: document.reviewedBy && <Person id={document.reviewedBy} /> },
            { label: t.decidedAt, value: document.reviewedAt && <Time at={document.reviewedAt} /> },
            { label: t.reason, value: document.reason },
          ]}
        />
        {document.status === "SUBMITTED" &&
          may("reviewDocument") &&
          (isOwn ? <p className="text-muted">{t.ownDocument}</p> : <Word document={document} onClose={onClose} />)}
      </div>
    </Dialog>
  );
}

function Content({ bytes, document }: { bytes: Uint8Array<ArrayBuffer>; document: ComplianceDocument }) {
  const t = useTexts(texts);
  const { contentType, fileName } = document;
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([bytes], { type: contentType }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes, contentType]);
  return (
    <div className="flex flex-col gap-2">
      <div className="flex justify-center overflow-auto rounded-lg border border-line bg-canvas">
        {url &&
          (contentType.startsWith("image/") ? (
            <img src={url} alt={fileName} className="max-h-[60dvh] max-w-full object-contain" />
          ) : (
            <iframe src={url} title={fileName} className="h-[60dvh] w-full" />
          ))}
      </div>
      <div className="flex justify-end">
        <Button icon={Download} onClick={() => saveFile(bytes, fileName, contentType)}>
          {t.save}
        </Button>
      </div>
    </div>
  );
}

function Word({ document, onClose }: Props) {
  const t = useTexts(texts);
  const form = useActionForm({
    operation: "reviewDocument",
    run: (input: { accept: boolean; reason: string }, options) =>
      api.compliance.reviewDocument(document.documentId, input, options),
    stales: ["reviews", "customers", "transactions", "home"],
    done: ({ status }) => (status === "ACCEPTED" ? t.accepted : t.rejected),
    onDone: onClose,
    defaults: { how: "", reason: "" },
    keep: true,
    toInput: ({ how, reason }) => ({ accept: how === "accept", reason: reason.trim() }),
  });
  const isRefusal = form.form.watch("how") === "reject";
  return (
    <Form of={form}>
      <SelectField
        form={form.form}
        name="how"
        label={t.decision}
        isRequired
        nothing={t.choose}
        options={[
          { value: "accept", label: t.accept },
          { value: "reject", label: t.reject },
        ]}
      />
      <TextArea form={form.form} name="reason" label={t.reason} hint={t.documentReasonHint} isRequired />
      <DialogActions>
        <Button onClick={onClose}>{t.leave}</Button>
        <SubmitButton of={form} danger={isRefusal}>
          {t.decide}
        </SubmitButton>
      </DialogActions>
    </Form>
  );
}
