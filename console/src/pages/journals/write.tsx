import { useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { journalKinds } from "../../generated/enums";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useOrganisation } from "../../lib/organisation";
import { FieldGrid } from "../../ui/field-grid";
import { Form, SelectField, SubmitButton, TextField, useFormOf } from "../../ui/form";
import { worded } from "../../ui/options";
import { Page } from "../../ui/page";
import { Section } from "../../ui/panels";
import { useAction } from "../../ui/use-action";
import { toBase64 } from "../compliance/file-parts";
import { LineFields } from "./line-fields";
import { sidesOf } from "./sums";
import { SidesTable } from "./sides-table";
import { texts } from "./texts";
import { newLine, pathsOf, requestOf, sidedOf, type JournalValues, type Request } from "./values";

type Attachment = NonNullable<Request["attachment"]>;

const accepted = "application/pdf,image/jpeg,image/png,text/csv,text/plain";
const mostBytes = 131_072;

export default function WriteJournal() {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const { currencies } = useOrganisation();
  const [file, setFile] = useState<Attachment>();
  const attached = useRef(file);
  attached.current = file;
  const [currency = "USD"] = currencies;
  const action = useAction({
    operation: "writeJournal",
    run: (journal: Request, options) => api.books.writeJournal(journal, options),
    stales: ["books", "ledger", "approvals"],
    done: ({ status }) => (status === "PROPOSED" ? t.proposed : t.posted),
    onDone: ({ journalId }) => void navigate({ to: `/journals/${journalId}` }),
  });
  const typed = useRef<JournalValues["lines"]>([]);
  const of = useFormOf<JournalValues, Request>(action, {
    defaults: {
      kind: "STANDARD",
      reason: "",
      valueDate: "",
      lines: [newLine(currency), newLine(currency)],
    },
    keep: true,
    toInput: (values) => ({ ...requestOf(values), ...(attached.current && { attachment: attached.current }) }),
    paths: pathsOf(typed.current),
  });
  const { form } = of;
  const lines = form.watch("lines");
  typed.current = lines;
  const sides = sidesOf(sidedOf(lines));
  const isEven = sides.length > 0 && sides.every((one) => one.isEven);
  const fill = (line: Partial<JournalValues["lines"][number]>) =>
    form.setValue("lines", [...form.getValues("lines"), { ...newLine(currency), ...line }]);
  return (
    <Page title={t.write} about={t.writeAbout} back={{ to: "/journals", label: t.title }}>
      <Form of={of}>
        <Section title={t.journal}>
          <div className="flex flex-col gap-3.5">
            <TextField form={form} name="reason" label={t.reason} isRequired />
            <FieldGrid>
              <SelectField form={form} name="kind" label={t.kind} hint={t.kindHint} options={worded(journalKinds)} />
              <TextField form={form} name="valueDate" type="date" label={t.valueDate} hint={t.valueDateHint} />
            </FieldGrid>
            <AttachmentField onChange={setFile} />
          </div>
        </Section>
        <Section title={t.lines}>
          <LineFields form={form} currency={currency} />
        </Section>
        <Section title={t.sums} flush>
          <SidesTable sides={sides} onFill={fill} />
        </Section>
        <div className="flex flex-wrap items-center justify-end gap-3">
          {sides.length > 0 && !isEven && (
            <p role="status" className="text-warn">
              {t.uneven}
            </p>
          )}
          <SubmitButton of={of} disabled={!isEven}>
            {t.write}
          </SubmitButton>
        </div>
      </Form>
    </Page>
  );
}

function AttachmentField({ onChange }: { onChange: (file: Attachment | undefined) => void }) {
  const t = useTexts(texts);
  const [fault, setFault] = useState<string>();
  const choose = async (file: File | undefined) => {
    const isTooBig = file !== undefined && file.size > mostBytes;
    setFault(isTooBig ? t.tooBig : undefined);
    if (file === undefined || isTooBig) return onChange(undefined);
    const content = toBase64(new Uint8Array(await file.arrayBuffer()));
    onChange({ fileName: file.name, mediaType: file.type as Attachment["mediaType"], content });
  };
  return (
    <label className="flex flex-col gap-1">
      <span className="font-medium">{t.attachment}</span>
      <input
        type="file"
        accept={accepted}
        className="control"
        onChange={(event) => void choose(event.target.files?.[0])}
      />
      <span className="text-xs text-muted">{t.attachmentHint}</span>
      {fault && (
        <span role="alert" className="text-bad">
          {fault}
        </span>
      )}
    </label>
  );
}
