import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useOrganisation } from "../../lib/organisation";
import { textOrNull } from "../../lib/typed";
import { FieldGrid } from "../../ui/field-grid";
import { CheckField, TextField, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { placeTexts } from "./place-texts";
import type { Branch } from "./types";

type Body = Parameters<typeof api.branches.put>[0];

/** Makes a branch, or replaces what holds of it. */
export function BranchDialog({ branch, onClose }: { branch: Branch | undefined; onClose: () => void }) {
  const t = useTexts(placeTexts);
  const { countries } = useOrganisation();
  const form = useActionForm({
    operation: "putBranch",
    run: (body: Body, options) => api.branches.put(body, options),
    stales: ["corridors"],
    done: t.saved,
    onDone: onClose,
    defaults: {
      code: branch?.code ?? "",
      name: branch?.name ?? "",
      country: branch?.country ?? "",
      city: branch?.city ?? "",
      address: branch?.address ?? "",
      phoneNumber: branch?.phoneNumber ?? "",
      openingHours: branch?.openingHours ?? "",
      allocatedTo: branch?.allocatedTo ?? "TENANT",
      enabled: branch?.enabled ?? true,
    },
    toInput: (values) => ({
      code: values.code.trim(),
      name: values.name.trim(),
      country: values.country.trim().toUpperCase(),
      city: textOrNull(values.city),
      address: textOrNull(values.address),
      phoneNumber: textOrNull(values.phoneNumber),
      openingHours: textOrNull(values.openingHours),
      allocatedTo: textOrNull(values.allocatedTo),
      enabled: values.enabled,
    }),
  });
  const { form: of } = form;
  return (
    <FormDialog wide title={branch ? t.change(branch.code) : t.addBranch} of={form} submit={t.save} onClose={onClose}>
      <FieldGrid>
        <TextField form={of} name="code" label={t.code} readOnly={branch !== undefined} isRequired />
        <TextField form={of} name="name" label={t.name} isRequired />
        <TextField form={of} name="country" label={t.country} hint={t.countryHint} list={countries} isRequired />
        <TextField form={of} name="city" label={t.city} />
        <TextField form={of} name="address" label={t.address} />
        <TextField form={of} name="phoneNumber" label={t.phone} type="tel" />
        <TextField form={of} name="openingHours" label={t.hours} />
        <TextField form={of} name="allocatedTo" label={t.allocatedTo} hint={t.allocatedHint} />
      </FieldGrid>
      <CheckField form={of} name="enabled" label={t.enabled} />
    </FormDialog>
  );
}
