import { decimal } from "@manilla/client";
import { Plus } from "lucide-react";
import type { UseFormReturn } from "react-hook-form";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { typedAmount } from "../../lib/money";
import { useOrganisation } from "../../lib/organisation";
import { isWhole } from "../../lib/typed";
import { AmountField } from "../../ui/amount-field";
import { Button } from "../../ui/button";
import { FieldGrid, FieldGroup } from "../../ui/field-grid";
import { SelectField, TextArea, TextField, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { plain } from "../../ui/options";
import { sharesOf, shareText, tiersOf, tierText } from "./plan-lines";
import { agentStales } from "./queries";
import { texts } from "./texts";
import type { Plan, PlanRequest } from "./types";

interface RuleTyped {
  basis: string;
  fixed: string;
  bps: string;
  tierKind: string;
  tiers: string;
  minimum: string;
  maximum: string;
}
interface Values {
  planId: string;
  name: string;
  currency: string;
  rules: RuleTyped[];
  split: string;
  reason: string;
}

const noRule: RuleTyped = {
  basis: "FEE",
  fixed: "",
  bps: "",
  tierKind: "MARGINAL",
  tiers: "",
  minimum: "",
  maximum: "",
};
const bases = ["FEE", "PRINCIPAL", "FX_MARGIN", "FIXED"] as const;

const amount = (name: string, text: string) => {
  const exact = typedAmount(text);
  return exact === undefined ? {} : { [name]: decimal(exact) };
};

function ruleOf({ basis, fixed, bps, tierKind, tiers, minimum, maximum }: RuleTyped) {
  if (basis === "FIXED") return { basis, ...amount("fixed", fixed) };
  const typed = tiersOf(tiers) ?? [];
  return {
    basis,
    ...(typed.length === 0
      ? bps.trim() !== "" && { bps: Number(bps) }
      : { tierKind, tiers: typed.map((one) => ({ ...one, ...(one.upTo && { upTo: decimal(one.upTo) }) })) }),
    ...amount("minimum", minimum),
    ...amount("maximum", maximum),
  };
}

const requestOf = ({ planId, name, currency, rules, split, reason }: Values): PlanRequest =>
  ({
    planId: planId.trim(),
    name: name.trim(),
    currency,
    rules: rules.map(ruleOf),
    split: sharesOf(split) ?? [],
    reason: reason.trim(),
  }) as PlanRequest;

const typedRule = ({ fixed, bps, tierKind, tiers, minimum, maximum, basis }: Plan["rules"][number]): RuleTyped => ({
  basis,
  fixed: fixed ?? "",
  bps: bps === undefined || tiers.length > 0 ? "" : String(bps),
  tierKind: tierKind ?? "MARGINAL",
  tiers: tierText(tiers),
  minimum: minimum ?? "",
  maximum: maximum ?? "",
});

/** A version of what agents earn, which another manager approves. */
export function PlanDialog({ before, onClose }: { before?: Plan; onClose: () => void }) {
  const t = useTexts(texts);
  const { currencies, baseCurrency } = useOrganisation();
  const form = useActionForm({
    operation: "putCommissionPlan",
    run: (body: PlanRequest, options) => api.agents.putCommissionPlan(body, options),
    stales: agentStales,
    done: t.askedFor,
    onDone: onClose,
    defaults: {
      planId: before?.planId ?? "",
      name: before?.name ?? "",
      currency: before?.currency ?? baseCurrency,
      rules: before?.rules.map(typedRule) ?? [noRule],
      split: shareText(before?.split ?? []),
      reason: "",
    },
    toInput: requestOf,
  });
  const fields = form.form as UseFormReturn<Values>;
  const rules = fields.watch("rules");
  const check = (text: string) => (sharesOf(text) === undefined ? t.notLines : undefined);
  return (
    <FormDialog wide title={t.planTitle} of={form} submit={t.ask} onClose={onClose}>
      <p className="text-muted">{t.planHint}</p>
      <FieldGrid columns={3}>
        <TextField form={fields} name="planId" label={t.planId} readOnly={before !== undefined} isRequired />
        <TextField form={fields} name="name" label={t.name} isRequired />
        <SelectField
          form={fields}
          name="currency"
          label={t.currency}
          options={plain(before ? [before.currency] : currencies)}
        />
      </FieldGrid>
      {rules.map((_rule, index) => (
        <RuleFields key={index} form={fields} index={index} />
      ))}
      {rules.length < 5 && (
        <div>
          <Button icon={Plus} onClick={() => fields.setValue("rules", [...rules, noRule])}>
            {t.addRule}
          </Button>
        </div>
      )}
      <TextArea form={fields} name="split" label={t.split} hint={t.splitHint} rows={2} check={check} />
      <TextArea form={fields} name="reason" label={t.reason} rows={2} isRequired />
    </FormDialog>
  );
}

function RuleFields({ form, index }: { form: UseFormReturn<Values>; index: number }) {
  const t = useTexts(texts);
  const name = <K extends keyof RuleTyped>(key: K) => `rules.${index}.${key}` as const;
  const isFixed = form.watch(name("basis")) === "FIXED";
  const notTiers = (text: string) => (tiersOf(text) === undefined ? t.notLines : undefined);
  const notWhole = (text: string) => (isWhole(text) ? undefined : t.bpsHint);
  return (
    <FieldGroup title={t.ruleOf(String(index + 1))}>
      <FieldGrid columns={3}>
        <SelectField
          form={form}
          name={name("basis")}
          label={t.basis}
          options={bases.map((value) => ({ value, label: t[value] }))}
        />
        {isFixed ? (
          <AmountField form={form} name={name("fixed")} label={t.fixed} isRequired />
        ) : (
          <>
            <TextField
              form={form}
              name={name("bps")}
              label={t.bps}
              hint={t.bpsHint}
              inputMode="numeric"
              check={notWhole}
            />
            <SelectField
              form={form}
              name={name("tierKind")}
              label={t.tierKind}
              options={(["MARGINAL", "SLAB"] as const).map((value) => ({ value, label: t[value] }))}
            />
            <AmountField form={form} name={name("minimum")} label={t.minimum} />
            <AmountField form={form} name={name("maximum")} label={t.maximum} />
          </>
        )}
      </FieldGrid>
      {!isFixed && (
        <TextArea form={form} name={name("tiers")} label={t.tiers} hint={t.tiersHint} rows={3} check={notTiers} />
      )}
    </FieldGroup>
  );
}
