import type { ReactNode } from "react";
import { useTexts } from "../lib/language";
import { Button } from "./button";
import { Dialog, DialogActions } from "./dialog";
import { Form, SubmitButton, TextArea, useFormOf } from "./form";
import { uiTexts } from "./texts";
import type { Action } from "./use-action";

interface Props {
  title: string;
  /** What will be done, and what follows from it. */
  children: ReactNode;
  confirm: string;
  danger?: boolean;
  /** Whether a reason is asked for, and whether it can be left out. */
  reason?: "required" | "optional" | "none";
  /** False while what is confirmed is not seen yet. */
  isReady?: boolean;
  action: Action<string, unknown>;
  onClose: () => void;
}

/** Asks before something is done, with its reason; it closes by itself when that is done. */
export function ConfirmDialog({
  title,
  children,
  confirm,
  danger = false,
  reason = "required",
  isReady = true,
  action,
  onClose,
}: Props) {
  const t = useTexts(uiTexts);
  const requested = useFormOf(
    {
      ...action,
      run: (text: string) => action.run(text).then((result) => (result !== undefined && onClose(), result)),
    },
    {
      defaults: { reason: "" },
      toInput: (values) => values.reason.trim(),
      keep: true,
    },
  );
  return (
    <Dialog title={title} onClose={onClose}>
      <Form of={requested}>
        <div>{children}</div>
        {reason !== "none" && (
          <TextArea
            form={requested.form}
            name="reason"
            label={t.reason}
            isRequired={reason === "required"}
            {...(reason === "required" && { hint: t.reasonNeeded })}
          />
        )}
        <DialogActions>
          <Button onClick={onClose}>{t.cancel}</Button>
          <SubmitButton of={requested} danger={danger} disabled={!isReady}>
            {confirm}
          </SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
