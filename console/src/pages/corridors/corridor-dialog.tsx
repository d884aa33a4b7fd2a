import { useRef } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { Button } from "../../ui/button";
import { Dialog, DialogActions } from "../../ui/dialog";
import { Form, SubmitButton, useActionForm } from "../../ui/form";
import { useAction } from "../../ui/use-action";
import { keyOf } from "./codes";
import { CorridorFields } from "./corridor-fields";
import { bodyOf, corridorDefaults, faultPathsOf, type CorridorValues } from "./corridor-values";
import { texts } from "./texts";
import type { Corridor, CorridorBody } from "./types";

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
