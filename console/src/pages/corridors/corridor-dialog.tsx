import { useRef } from "react";
import { useTexts } from "../../i18n/language";
import { api } from "../../lib/api";
import { useAction } from "../../lib/use-action";
import { Button } from "../../ui/button";
import { Dialog, DialogActions } from "../../ui/dialog";
import { Form, SubmitButton, useActionForm } from "../../ui/form";
import { keyOf, type Corridor } from "./codes";
import { CorridorFields } from "./corridor-fields";
import { bodyOf, corridorDefaults, faultPathsOf, type CorridorBody, type CorridorValues } from "./corridor-values";
import { texts } from "./texts";

/** Makes a corridor, or replaces what holds of it. */
export function CorridorDialog({ corridor, onClose }: { corridor: Corridor | undefined; onClose: () => void }) {
  const t = useTexts(texts);
  const paths = useRef<ReturnType<typeof faultPathsOf>>({});
  const put = useAction({
    operation: "putCorridor",
    run: (body: CorridorBody, options) => api.corridors.put(body, options),
    stales: ["corridors", "approvals", "home"],
    done: ({ approval }) => (approval?.status === "PENDING" ? t.waits : t.saved),
    onDone: onClose,
  });
  const form = useActionForm({
    defaults: corridorDefaults(corridor),
    action: put,
    paths: paths.current,
    toInput: (values: CorridorValues) => {
      paths.current = faultPathsOf(values);
      return bodyOf(values);
    },
  });
  return (
    <Dialog wide title={corridor ? t.changeTitle(keyOf(corridor)) : t.newCorridor} onClose={onClose}>
      <Form of={form}>
        <CorridorFields form={form.form} isNew={!corridor} />
        <DialogActions>
          <Button onClick={onClose}>{t.cancel}</Button>
          <SubmitButton of={form}>{t.save}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
