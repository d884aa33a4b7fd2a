import { useQuery } from "@tanstack/react-query";
import type { FieldPath, FieldValues, UseFormReturn } from "react-hook-form";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { SelectField } from "../../ui/form";
import { withCurrent } from "../../ui/options";
import { tillTexts } from "./till-texts";

export function branchesQuery() {
  return read("organisation", "listBranches", { all: true }, (options) =>
    api.branches.list({}, options).toArray({ max: 1_000 }),
  );
}

/** One of the organisation's branches; the first line is the house. */
export function BranchField<Values extends FieldValues>({
  form,
  name,
  label,
}: {
  form: UseFormReturn<Values>;
  name: FieldPath<Values>;
  label: string;
}) {
  const t = useTexts(tillTexts);
  const { data = [] } = useQuery(branchesQuery());
  return (
    <SelectField
      form={form}
      name={name}
      label={label}
      nothing={t.house}
      options={withCurrent(
        data.map(({ code, name: called }) => ({ value: code, label: `${called} (${code})` })),
        String(form.watch(name) ?? ""),
      )}
    />
  );
}
