import type { ReactNode } from "react";
import type { FieldValues } from "react-hook-form";
import { useTexts } from "../lib/language";
import { Button } from "./button";
import { Dialog, DialogActions } from "./dialog";
import { Form, SubmitButton, type ActionForm } from "./form";
import { uiTexts } from "./texts";

interface Props<Values extends FieldValues> {
  title: ReactNode;
  of: ActionForm<Values>;
  /** What the button says that sends it. */
  submit: ReactNode;
  danger?: boolean;
  /** False while it cannot be sent yet. */
  isReady?: boolean;
  wide?: boolean;
  /** Above the form. */
  intro?: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog that is a form: its fields, the way out, and the button that sends it. */
export function FormDialog<Values extends FieldValues>({
  title,
  of,
  submit,
  danger = false,
  isReady = true,
  wide = false,
  intro,
  onClose,
  children,
}: Props<Values>) {
  const t = useTexts(uiTexts);
  return (
    <Dialog title={title} wide={wide} onClose={onClose}>
      {intro}
      <Form of={of}>
        {children}
        <DialogActions>
          <Button onClick={onClose}>{t.cancel}</Button>
          <SubmitButton of={of} danger={danger} disabled={!isReady}>
            {submit}
          </SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
