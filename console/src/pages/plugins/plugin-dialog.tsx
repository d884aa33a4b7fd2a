import { useState } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { Button } from "../../ui/button";
import { Dialog, DialogActions } from "../../ui/dialog";
import { Form, SubmitButton, TextArea, TextField, useFormOf } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { useAction } from "../../ui/use-action";
import { ConfigurationFields, SecretFields, type PluginValues } from "./configuration-fields";
import { faultPaths, stales, useKindName } from "./plugins";
import { configurationOf, fieldsOf, textsOf } from "./schema-fields";
import { texts } from "./texts";
import type { Plugin, PluginType } from "./types";

interface CreateProps {
  types: readonly PluginType[];
  onMade: (plugin: Plugin) => void;
  onClose: () => void;
}

/** Installs a plugin: its type first, then what the type asks for. */
export function CreateDialog({ types, onMade, onClose }: CreateProps) {
  const t = useTexts(texts);
  const kindName = useKindName();
  const [name, setName] = useState(types[0]?.name ?? "");
  const type = types.find((one) => one.name === name);
  return (
    <Dialog title={t.install} wide onClose={onClose}>
      <div className="mb-3.5 flex flex-col gap-1">
        <label htmlFor="plugin-type" className="font-medium">
          {t.type}
        </label>
        <select
          id="plugin-type"
          className="control"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        >
          {[...new Set(types.map(({ kind }) => kind))].map((kind) => (
            <optgroup key={kind} label={kindName(kind)}>
              {types
                .filter((one) => one.kind === kind)
                .map((one) => (
                  <option key={one.name} value={one.name}>
                    {one.title}
                  </option>
                ))}
            </optgroup>
          ))}
        </select>
      </div>
      {type && <CreateForm key={type.name} type={type} onMade={onMade} onClose={onClose} />}
    </Dialog>
  );
}

function CreateForm({ type, onMade, onClose }: Omit<CreateProps, "types"> & { type: PluginType }) {
  const t = useTexts(texts);
  const fields = fieldsOf(type.configurationSchema);
  const create = useAction({
    operation: "createPlugin",
    run: (body: Parameters<typeof api.plugins.create>[0], options) => api.plugins.create(body, options),
    stales,
    done: t.installed,
    onDone: onMade,
  });
  const form = useFormOf<PluginValues, Parameters<typeof api.plugins.create>[0]>(create, {
    defaults: { name: "", configuration: textsOf(fields, {}), secrets: noSecrets(type), reason: "" },
    keep: true,
    paths: faultPaths<PluginValues>(create.error),
    toInput: (values) => ({
      type: type.name,
      name: values.name.trim(),
      configuration: configurationOf(fields, values.configuration),
      secrets: typedSecrets(values),
    }),
  });
  return (
    <Form of={form}>
      <p className="text-muted">{t.secondManagerHint}</p>
      <TextField form={form.form} name="name" label={t.name} hint={t.nameHint} isRequired />
      <ConfigurationFields form={form.form} fields={fields} />
      <SecretFields form={form.form} type={type} hint={t.secretsHint} isNew />
      <DialogActions>
        <Button onClick={onClose}>{t.cancel}</Button>
        <SubmitButton of={form}>{t.install}</SubmitButton>
      </DialogActions>
    </Form>
  );
}

interface ChangeProps {
  plugin: Plugin;
  type: PluginType;
  onClose: () => void;
}

/** Changes name and configuration, as they were read, and the secrets that are typed. */
export function ChangeDialog({ plugin, type, onClose }: ChangeProps) {
  const t = useTexts(texts);
  const fields = fieldsOf(type.configurationSchema);
  const change = useAction({
    operation: "changePlugin",
    run: (body: Parameters<typeof api.plugins.change>[1], options) =>
      api.plugins.change(plugin.installationId, body, options),
    stales,
    done: ({ pendingApprovalId, missingSecrets }: Plugin) =>
      pendingApprovalId !== undefined ? t.waits : missingSecrets.length > 0 ? t.changedWithout : t.changedDone,
    onDone: onClose,
  });
  const form = useFormOf<PluginValues, Parameters<typeof api.plugins.change>[1]>(change, {
    defaults: {
      name: plugin.name,
      configuration: textsOf(fields, plugin.configuration),
      secrets: noSecrets(type),
      reason: "",
    },
    keep: true,
    paths: faultPaths<PluginValues>(change.error),
    toInput: (values) => ({
      name: values.name.trim(),
      configuration: configurationOf(fields, values.configuration),
      secrets: typedSecrets(values),
      revision: plugin.revision,
      reason: values.reason.trim(),
    }),
  });
  return (
    <FormDialog title={t.changeTitle} wide of={form} submit={t.save} onClose={onClose}>
      <p className="text-muted">{t.secondManagerHint}</p>
      <TextField form={form.form} name="name" label={t.name} isRequired />
      <ConfigurationFields form={form.form} fields={fields} />
      <SecretFields form={form.form} type={type} hint={t.moveHint} />
      <TextArea form={form.form} name="reason" label={t.reason} isRequired />
    </FormDialog>
  );
}

/** Replaces the secrets that are typed. */
export function SecretsDialog({ plugin, type, onClose }: ChangeProps) {
  const t = useTexts(texts);
  const rotate = useAction({
    operation: "rotatePluginSecret",
    run: (body: Parameters<typeof api.plugins.rotateSecret>[1], options) =>
      api.plugins.rotateSecret(plugin.installationId, body, options),
    stales,
    done: (changed: Plugin) => (changed.pendingApprovalId === undefined ? t.rotated : t.waits),
    onDone: onClose,
  });
  const form = useFormOf<PluginValues, Parameters<typeof api.plugins.rotateSecret>[1]>(rotate, {
    defaults: { name: "", configuration: {}, secrets: noSecrets(type), reason: "" },
    keep: true,
    paths: faultPaths<PluginValues>(rotate.error),
    toInput: (values) => ({ secrets: typedSecrets(values), reason: values.reason.trim() }),
  });
  return (
    <FormDialog title={t.rotateTitle} of={form} submit={t.rotate} onClose={onClose}>
      <p className="text-muted">{t.secondManagerHint}</p>
      <SecretFields form={form.form} type={type} hint={t.rotateHint} />
      <TextArea form={form.form} name="reason" label={t.reason} isRequired />
    </FormDialog>
  );
}

const noSecrets = ({ secrets }: PluginType) => Object.fromEntries(secrets.map(({ name }) => [name, ""]));

/** As they were typed: a space may be part of one. */
const typedSecrets = ({ secrets }: PluginValues) =>
  Object.fromEntries(Object.entries(secrets).filter(([, value]) => value !== ""));
