import { decimal } from "@manilla/client";
import { useQuery } from "@tanstack/react-query";
import { Plus, Trash2 } from "lucide-react";
import type { UseFormReturn } from "react-hook-form";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { typedAmount } from "../../lib/money";
import { useOrganisation } from "../../lib/organisation";
import { AmountField } from "../../ui/amount-field";
import { Button } from "../../ui/button";
import { FieldGrid, FieldGroup } from "../../ui/field-grid";
import { SelectField, TextArea, TextField, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { plain, withCurrent } from "../../ui/options";
import { agentStales, plansQuery } from "./queries";
import { texts } from "./texts";
import type { Configuration, ConfigurationRequest } from "./types";

interface TermsTyped {
  currency: string;
  perTransaction: string;
  perDay: string;
  commissionPlanId: string;
  creditLine: string;
  alarmShare: string;
}
interface Values {
  mode: string;
  corridors: string;
  methods: string;
  terms: TermsTyped[];
  reason: string;
}

const noTerms = (currency: string): TermsTyped => ({
  currency,
  perTransaction: "",
  perDay: "",
  commissionPlanId: "",
  creditLine: "",
  alarmShare: "",
});

const parted = (text: string): string[] =>
  text
    .split(/[\s,]+/)
    .map((one) => one.toUpperCase())
    .filter(Boolean);

const amount = (name: string, text: string) => {
  const exact = typedAmount(text);
  return exact === undefined ? {} : { [name]: decimal(exact) };
};

function requestOf({ mode, corridors, methods, terms, reason }: Values): ConfigurationRequest {
  const isAccount = mode === "ACCOUNT";
  return {
    mode,
    corridors: parted(corridors),
    methods: parted(methods),
    terms: terms.map((one) => ({
      currency: one.currency,
      ...amount("perTransaction", one.perTransaction),
      ...amount("perDay", one.perDay),
      ...(one.commissionPlanId && { commissionPlanId: one.commissionPlanId }),
      ...(isAccount && amount("creditLine", one.creditLine)),
      ...(isAccount && one.alarmShare.trim() && { alarmShare: Number(one.alarmShare) }),
    })),
    reason: reason.trim(),
  } as ConfigurationRequest;
}

interface Props {
  agentId: string;
  before?: Configuration;
  onClose: () => void;
}

/** Sets how an agent sells: all of it, in place of what was. */
export function ConfigurationDialog({ agentId, before, onClose }: Props) {
  const t = useTexts(texts);
  const { baseCurrency } = useOrganisation();
  const form = useActionForm({
    operation: "putAgentConfiguration",
    run: (body: ConfigurationRequest, options) => api.agents.putAgentConfiguration(agentId, body, options),
    stales: agentStales,
    done: ({ approvalStatus }) => (approvalStatus === "PENDING" ? t.askedFor : t.applied),
    onDone: onClose,
    defaults: {
      mode: (before?.mode ?? "TILL") as string,
      corridors: before?.corridors.join(", ") ?? "",
      methods: before?.methods.join(", ") ?? "",
      terms: before?.terms.map((one) => ({
        ...noTerms(one.currency),
        ...one,
        alarmShare: one.alarmShare === undefined ? "" : String(one.alarmShare),
      })) ?? [noTerms(baseCurrency)],
      reason: "",
    },
    toInput: requestOf,
  });
  const fields = form.form as UseFormReturn<Values>;
  const terms = fields.watch("terms");
  return (
    <FormDialog wide title={t.changeTitle} of={form} submit={t.ask} onClose={onClose}>
      <p className="text-muted">{t.changeHint}</p>
      <SelectField
        form={fields}
        name="mode"
        label={t.mode}
        options={(["TILL", "ACCOUNT"] as const).map((value) => ({ value, label: t[value] }))}
      />
      <FieldGrid>
        <TextField form={fields} name="corridors" label={t.corridors} hint={t.corridorsHint} />
        <TextField form={fields} name="methods" label={t.methods} hint={t.methodsHint} />
      </FieldGrid>
      {terms.map((_one, index) => (
        <TermsFields
          key={index}
          form={fields}
          index={index}
          {...(terms.length > 1 && {
            onRemove: () =>
              fields.setValue(
                "terms",
                terms.filter((_other, at) => at !== index),
              ),
          })}
        />
      ))}
      <div>
        <Button icon={Plus} onClick={() => fields.setValue("terms", [...terms, noTerms(baseCurrency)])}>
          {t.addTerms}
        </Button>
      </div>
      <TextArea form={fields} name="reason" label={t.reason} isRequired />
    </FormDialog>
  );
}

interface TermsProps {
  form: UseFormReturn<Values>;
  index: number;
  /** Absent for the only ones. */
  onRemove?: () => void;
}

function TermsFields({ form, index, onRemove }: TermsProps) {
  const t = useTexts(texts);
  const { currencies } = useOrganisation();
  const { data: plans = [] } = useQuery(plansQuery());
  const isAccount = form.watch("mode") === "ACCOUNT";
  const currency = form.watch(`terms.${index}.currency`);
  const own = plans.filter((one) => one.currency === currency);
  return (
    <FieldGroup title={t.termsOf(String(index + 1))}>
      <FieldGrid columns={3}>
        <SelectField form={form} name={`terms.${index}.currency`} label={t.currency} options={plain(currencies)} />
        <AmountField form={form} name={`terms.${index}.perTransaction`} label={t.perTransaction} />
        <AmountField form={form} name={`terms.${index}.perDay`} label={t.perDay} />
        <SelectField
          form={form}
          name={`terms.${index}.commissionPlanId`}
          label={t.plan}
          nothing={t.noPlan}
          options={withCurrent(
            own.map(({ planId, name }) => ({ value: planId, label: `${name} (${planId})` })),
            form.watch(`terms.${index}.commissionPlanId`),
          )}
        />
        {isAccount && <AmountField form={form} name={`terms.${index}.creditLine`} label={t.creditLine} />}
        {isAccount && (
          <TextField form={form} name={`terms.${index}.alarmShare`} label={t.alarmShare} inputMode="numeric" />
        )}
      </FieldGrid>
      {onRemove && (
        <div>
          <Button icon={Trash2} onClick={onRemove}>
            {t.removeTerms}
          </Button>
        </div>
      )}
    </FieldGroup>
  );
}
