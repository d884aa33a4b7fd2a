import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useOrganisation } from "../../lib/organisation";
import { startOfDay, today } from "../../lib/zoned-day";
import { TextField, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { texts } from "./texts";

/** Sends what an endpoint did not get since a day and an hour of the organisation's zone. */
export function RecoverDialog({ endpointId, onClose }: { endpointId: string; onClose: () => void }) {
  const t = useTexts(texts);
  const { timeZone } = useOrganisation();
  const form = useActionForm({
    operation: "recoverWebhookDeliveries",
    run: (from: string, options) => api.webhooks.recoverDeliveries(endpointId, { from }, options),
    stales: ["webhooks", "home"],
    done: t.recovered,
    onDone: onClose,
    defaults: { from: `${today(timeZone)}T00:00` },
    toInput: (values) => momentOf(values.from, timeZone),
  });
  return (
    <FormDialog title={t.recoverTitle} of={form} submit={t.recover} onClose={onClose}>
      <p className="text-muted">{t.recoverHint}</p>
      <TextField
        form={form.form}
        name="from"
        type="datetime-local"
        label={t.since}
        hint={t.inZone(timeZone)}
        isRequired
      />
    </FormDialog>
  );
}

/** On a day whose clock is changed the hour may be off by that change. */
function momentOf(local: string, zone: string): string {
  const [day = "", clock = "00:00"] = local.split("T");
  const [hours = 0, minutes = 0] = clock.split(":").map(Number);
  return new Date(Date.parse(startOfDay(day, zone)) + (hours * 60 + minutes) * 60_000).toISOString();
}
