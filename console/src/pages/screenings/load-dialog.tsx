import { useNavigate } from "@tanstack/react-router";
import { useId, useState } from "react";
import { listParts, listSources } from "../../generated/enums";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useOrganisation } from "../../lib/organisation";
import { Button } from "../../ui/button";
import { Dialog, DialogActions } from "../../ui/dialog";
import { Form, SelectField, SubmitButton, TextField, useFormOf } from "../../ui/form";
import { useAction } from "../../ui/use-action";
import { useOptions } from "../compliance/codes";
import { uploadInParts } from "../compliance/file-parts";
import { momentIn } from "../compliance/zoned";
import { texts } from "./texts";

type Source = (typeof listSources)[number];
type Part = (typeof listParts)[number];
type Chosen = Partial<Record<Part | "LIST", File>>;
interface Input {
  source: Source;
  files: Chosen;
  publishedAt?: string;
}

/** Sends the files in parts, then has them read as the organisation's own version. */
export function LoadDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(texts);
  const optionsOf = useOptions();
  const { timeZone } = useOrganisation();
  const navigate = useNavigate();
  const [files, setFiles] = useState<Chosen>({});
  const [progress, setProgress] = useState<string>();
  const [isMissing, setMissing] = useState(false);
  const load = useAction({
    operation: "loadScreeningList",
    run: async ({ source, files: chosen, publishedAt }: Input, options) => {
      const sent = [];
      for (const [part, file] of Object.entries(chosen)) {
        const tell = (share: number) => setProgress(t.sending(file.name, String(Math.floor(share * 100))));
        const uploaded = await uploadInParts(file, (each) => api.compliance.uploadScreeningListPart(each), tell);
        sent.push({ ...uploaded, ...(part !== "LIST" && { part: part as Part }) });
      }
      const body = { source, files: sent, ...(publishedAt && { publishedAt }) };
      return api.compliance.loadScreeningList(body, options);
    },
    stales: ["screenings"],
    done: t.reads,
    onDone: ({ listId }) => {
      onClose();
      void navigate({ to: `/screening-lists/${listId}` } as never);
    },
  });
  const form = useFormOf(load, {
    defaults: { source: "", publishedAt: "" },
    keep: true,
    toInput: ({ source, publishedAt }): Input => ({
      source: source as Source,
      files,
      ...(publishedAt && { publishedAt: momentIn(publishedAt, timeZone) }),
    }),
  });
  const source = form.form.watch("source");
  const parts = source === "OFAC_SDN" ? listParts : (["LIST"] as const);
  const isThere = files[parts[0] ?? "LIST"] !== undefined;
  const checked = { ...form, submit: () => (setMissing(!isThere), isThere ? form.submit() : undefined) };
  return (
    <Dialog title={t.load} onClose={onClose}>
      <p className="mb-4 text-muted">{t.loadHint}</p>
      <Form of={checked}>
        <SelectField
          form={form.form}
          name="source"
          label={t.source}
          isRequired
          nothing={t.chooseOne}
          options={optionsOf(listSources)}
        />
        {parts.map((part, index) => (
          <FileField
            key={part}
            label={part === "LIST" ? t.file : `${part.toLowerCase()}.csv`}
            isRequired={index === 0}
            fault={index === 0 && isMissing && !isThere ? t.fileNeeded : undefined}
            onChoose={(file) => setFiles((before) => chosenWith(before, part, file, source === "OFAC_SDN"))}
          />
        ))}
        <TextField
          form={form.form}
          name="publishedAt"
          type="datetime-local"
          label={t.published}
          hint={t.publishedHint(timeZone)}
        />
        {load.isRunning && progress && <p role="status">{progress}</p>}
        <DialogActions>
          <Button onClick={onClose}>{t.leave}</Button>
          <SubmitButton of={form}>{t.load}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

/** What was chosen for a source of other parts is no part of this one. */
function chosenWith(before: Chosen, part: Part | "LIST", file: File | undefined, isOfac: boolean): Chosen {
  const retained = Object.entries(before).filter(([name]) => name !== part && (name !== "LIST") === isOfac);
  return { ...Object.fromEntries(retained), ...(file && { [part]: file }) };
}

interface FileProps {
  label: string;
  isRequired: boolean;
  fault: string | undefined;
  onChoose: (file: File | undefined) => void;
}

function FileField({ label, isRequired, fault, onChoose }: FileProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
        {isRequired && (
          <span aria-hidden className="text-bad">
            {" "}
            *
          </span>
        )}
      </label>
      <input
        id={id}
        type="file"
        className="control"
        aria-required={isRequired}
        aria-invalid={fault !== undefined}
        {...(fault && { "aria-describedby": `${id}-fault` })}
        onChange={(event) => onChoose(event.target.files?.[0])}
      />
      {fault && (
        <p id={`${id}-fault`} className="text-bad">
          {fault}
        </p>
      )}
    </div>
  );
}
