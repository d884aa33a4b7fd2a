import { Plus, Trash2 } from "lucide-react";
import { useFieldArray } from "react-hook-form";
import { pluginMethods } from "../../generated/enums";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useOrganisation } from "../../lib/organisation";
import { textOrNull, wholeOf } from "../../lib/typed";
import { Button, IconButton } from "../../ui/button";
import { FieldGrid, FieldGroup } from "../../ui/field-grid";
import { SelectField, TextArea, TextField, useFormOf } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { worded } from "../../ui/options";
import { useAction } from "../../ui/use-action";
import { WholeField } from "../../ui/whole-field";
import { faultPaths, stales } from "./plugins";
import { texts } from "./texts";
import type { Plugin, PluginRoute } from "./types";

const places = ["originCountry", "sendCurrency", "receivingCountry", "receivingCurrency"] as const;

type Wanted = Parameters<typeof api.plugins.change>[1];
interface Values {
  routes: (Record<(typeof places)[number] | "method" | "priority", string> & { id?: string })[];
  reason: string;
}

/** Which new work goes to it: all routes at once. */
export function RoutesDialog({ plugin, onClose }: { plugin: Plugin; onClose: () => void }) {
  const t = useTexts(texts);
  const { countries, currencies } = useOrganisation();
  const change = useAction({
    operation: "changePlugin",
    run: (body: Wanted, options) => api.plugins.change(plugin.installationId, body, options),
    stales,
    done: (changed: Plugin) => (changed.pendingApprovalId === undefined ? t.changedDone : t.waits),
    onDone: onClose,
  });
  const form = useFormOf<Values, Wanted>(change, {
    defaults: { routes: plugin.routes.map(typedRoute), reason: "" },
    keep: true,
    paths: faultPaths<Values>(change.error),
    toInput: (values) => ({
      routes: values.routes.map((route) => ({
        ...Object.fromEntries(places.map((place) => [place, textOrNull(route[place].toUpperCase())])),
        method: (textOrNull(route.method) as (typeof pluginMethods)[number] | null) ?? null,
        priority: wholeOf(route.priority),
      })),
      revision: plugin.revision,
      reason: values.reason.trim(),
    }),
  });
  const { fields, append, remove } = useFieldArray({ control: form.form.control, name: "routes" });
  return (
    <FormDialog title={t.changeRoutes} wide of={form} submit={t.save} onClose={onClose}>
      <p className="text-muted">{t.routesHint}</p>
      {fields.map((route, index) => (
        <FieldGroup key={route.id} title={t.routeOf(String(index + 1))}>
          <FieldGrid columns={3}>
            {places.map((place) => (
              <TextField
                key={place}
                form={form.form}
                name={`routes.${index}.${place}`}
                label={t[place]}
                placeholder={t.all}
                list={place.endsWith("Country") ? countries : currencies}
              />
            ))}
            <SelectField
              form={form.form}
              name={`routes.${index}.method`}
              label={t.method}
              nothing={t.all}
              options={worded(pluginMethods)}
            />
            <WholeField form={form.form} name={`routes.${index}.priority`} label={t.priority} isRequired />
          </FieldGrid>
          <div className="flex justify-end">
            <IconButton icon={Trash2} label={t.removeRoute(String(index + 1))} onClick={() => remove(index)} />
          </div>
        </FieldGroup>
      ))}
      <div>
        <Button icon={Plus} onClick={() => append(typedRoute({ priority: 1 }))}>
          {t.addRoute}
        </Button>
      </div>
      <TextArea form={form.form} name="reason" label={t.reason} isRequired />
    </FormDialog>
  );
}

const typedRoute = (route: PluginRoute): Values["routes"][number] => ({
  originCountry: route.originCountry ?? "",
  sendCurrency: route.sendCurrency ?? "",
  receivingCountry: route.receivingCountry ?? "",
  receivingCurrency: route.receivingCurrency ?? "",
  method: route.method ?? "",
  priority: String(route.priority),
});
