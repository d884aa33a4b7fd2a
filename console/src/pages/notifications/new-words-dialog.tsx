import { useNavigate } from "@tanstack/react-router";
import { useForm } from "react-hook-form";
import { messageChannels } from "../../generated/enums";
import { useTexts } from "../../lib/language";
import { Button } from "../../ui/button";
import { Dialog, DialogActions } from "../../ui/dialog";
import { Form, SelectField, SubmitButton, TextField } from "../../ui/form";
import { pageOf } from "./kinds";
import { texts } from "./texts";
import type { Kind } from "./types";

/** Goes to the page where words are written in a language that may have none yet. */
export function NewWordsDialog({ kinds, onClose }: { kinds: readonly Kind[]; onClose: () => void }) {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const form = useForm({ defaultValues: { kind: kinds[0]?.kind as string, channel: "EMAIL", language: "" } });
  const go = form.handleSubmit(({ language, ...key }) => {
    void navigate({ to: pageOf({ ...key, language: language.trim().toLowerCase() }) });
  });
  const sent = kinds.find(({ kind }) => kind === form.watch("kind"))?.channels ?? messageChannels;
  return (
    <Dialog title={t.otherLanguage} onClose={onClose}>
      <Form of={{ form, submit: () => void go(), isRunning: false, error: undefined }}>
        <SelectField
          form={form}
          name="kind"
          label={t.kind}
          options={kinds.map(({ kind }) => ({ value: kind, label: kind }))}
        />
        <SelectField
          form={form}
          name="channel"
          label={t.channel}
          options={messageChannels
            .filter((channel) => sent.includes(channel))
            .map((value) => ({ value, label: t[value] }))}
        />
        <TextField
          form={form}
          name="language"
          label={t.language}
          hint={t.languageHint}
          check={(text) => (/^[a-z]{2,3}$/i.test(text) ? undefined : t.languageFault)}
          isRequired
        />
        <DialogActions>
          <Button onClick={onClose}>{t.cancel}</Button>
          <SubmitButton of={{ isRunning: false }}>{t.write}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
