import { useRef } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { keyOf } from "./codes";
import { CorridorFields } from "./corridor-fields";
import { bodyOf, corridorDefaults, faultPathsOf, type CorridorValues } from "./corridor-values";
import { texts } from "./texts";
import type { Corridor, CorridorBody } from "./types";

/** Makes a corridor, or replaces what holds of it. */
export function CorridorDialog({ corridor, onClose }: { corridor: Corridor | undefined; onClose: () => void }) {
  const t = useTexts(texts);
  const paths = useRef<ReturnType<typeof faultPathsOf>>({});
  const form = useActionForm({
    operation: "putCorridor",
    run: (body: CorridorBody, options) => api.corridors.put(body, options),
    stales: ["corridors", "approvals", "home"],
    done: ({ approval }) => (approval?.status === "PENDING" ? t.waits : t.saved),
    onDone: onClose,
    defaults: corridorDefaults(corridor),
    paths: paths.current,
    toInput: (values: CorridorValues) => {
      paths.current = faultPathsOf(values);
      return bodyOf(values);
    },
  });
  return (
    <FormDialog
      wide
      title={corridor ? t.changeTitle(keyOf(corridor)) : t.newCorridor}
      of={form}
      submit={t.save}
      onClose={onClose}
    >
      <CorridorFields form={form.form} isNew={!corridor} />
    </FormDialog>
  );
}
