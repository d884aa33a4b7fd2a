import { useState } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { Button } from "../../ui/button";
import { Dialog, DialogActions } from "../../ui/dialog";
import { CheckField, Form, SubmitButton, TextField, useActionForm } from "../../ui/form";
import { wildcardOf } from "./endpoints";
import { texts } from "./texts";
import { TypeChoice } from "./type-choice";
import type { Endpoint } from "./types";

type Wanted = Parameters<typeof api.webhooks.createEndpoint>[0];

interface Props {
  /** The one that is changed; a new one where absent. */
  endpoint?: Endpoint;
  onMade?: (secret: string) => void;
  onClose: () => void;
}

/** Makes an endpoint, or changes one. */
export function EndpointDialog({ endpoint, onMade, onClose }: Props) {
  const t = useTexts(texts);
  const [types, setTypes] = useState<readonly string[]>(endpoint?.eventTypes ?? []);
  const [isMissing, setMissing] = useState(false);
  const form = useActionForm({
    operation: endpoint ? "changeWebhookEndpoint" : "createWebhookEndpoint",
    run: async (wanted: Wanted, options) => {
      if (endpoint === undefined) return await api.webhooks.createEndpoint(wanted, options);
      await api.webhooks.changeEndpoint(endpoint.endpointId, wanted, options);
      return { secret: undefined };
    },
    stales: ["webhooks", "home"],
    done: endpoint ? t.changedDone : t.created,
    onDone: ({ secret }) => (secret === undefined ? onClose() : onMade?.(secret)),
    defaults: {
      url: endpoint?.url ?? "",
      description: endpoint?.description ?? "",
      ordered: endpoint?.ordered ?? false,
      rateLimitPerSecond: String(endpoint?.rateLimitPerSecond || ""),
      includesConfidential: endpoint?.includesConfidential ?? false,
    },
    keep: true,
    toInput: (values): Wanted => ({
      url: values.url.trim(),
      description: values.description.trim(),
      eventTypes: patternsOf(types),
      ordered: values.ordered,
      rateLimitPerSecond: Number(values.rateLimitPerSecond || 0),
      includesConfidential: values.includesConfidential,
    }),
  });
  const submit = () => {
    setMissing(types.length === 0);
    if (types.length > 0) form.submit();
  };
  return (
    <Dialog title={endpoint ? t.changeTitle : t.create} wide onClose={onClose}>
      <Form of={{ ...form, submit }}>
        <TextField form={form.form} name="url" label={t.url} hint={t.urlHint} placeholder="https://" isRequired />
        <TextField form={form.form} name="description" label={t.about} />
        <TypeChoice chosen={types} onChange={setTypes} fault={isMissing && types.length === 0 ? t.noType : undefined} />
        <CheckField form={form.form} name="ordered" label={t.ordered} hint={t.orderedHint} />
        <CheckField form={form.form} name="includesConfidential" label={t.confidential} hint={t.confidentialHint} />
        <TextField
          form={form.form}
          name="rateLimitPerSecond"
          label={t.rateLimit}
          hint={t.rateLimitHint}
          inputMode="numeric"
          check={(text) => (/^\d{1,6}$/.test(text) ? undefined : t.notCount)}
        />
        <DialogActions>
          <Button onClick={onClose}>{t.cancel}</Button>
          <SubmitButton of={form}>{endpoint ? t.save : t.create}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

/** A type that its wildcard has already is not named twice. */
function patternsOf(types: readonly string[]): readonly string[] {
  return types.filter((type) => type.endsWith(".*") || !types.includes(wildcardOf(type)));
}
