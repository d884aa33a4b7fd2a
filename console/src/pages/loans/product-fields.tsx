import type { UseFormReturn } from "react-hook-form";
import {
  allocationParts,
  amortisations,
  businessDayRules,
  instalmentFrequencies,
  interestMethods,
  loanDayCounts,
  payoffInterests,
} from "../../generated/enums";
import { dayCountText } from "../../lib/day-count";
import { useTexts } from "../../lib/language";
import { useOrganisation } from "../../lib/organisation";
import { AmountField } from "../../ui/amount-field";
import { FieldGrid, FieldGroup } from "../../ui/field-grid";
import { CheckField, SelectField, TextField } from "../../ui/form";
import { plain, worded } from "../../ui/options";
import { WholeField } from "../../ui/whole-field";
import { inWords } from "../../ui/words";
import { productTexts } from "./product-texts";
import type { ProductValues } from "./product-values";

interface Props {
  form: UseFormReturn<ProductValues>;
  isNew: boolean;
}

export function ProductFields({ form, isNew }: Props) {
  const t = useTexts(productTexts);
  const { currencies } = useOrganisation();
  return (
    <div className="flex flex-col gap-6">
      <FieldGrid columns={3}>
        <TextField form={form} name="productId" label={t.id} hint={t.idHint} readOnly={!isNew} isRequired />
        <TextField form={form} name="name" label={t.name} isRequired />
        <SelectField form={form} name="currency" label={t.currency} options={plain(currencies)} />
      </FieldGrid>
      <FieldGroup title={t.terms}>
        <FieldGrid columns={3}>
          <AmountField form={form} name="minimumAmount" label={t.minimumAmount} isRequired />
          <AmountField form={form} name="maximumAmount" label={t.maximumAmount} isRequired />
          <SelectField
            form={form}
            name="frequency"
            label={t.frequency}
            options={instalmentFrequencies.map((value) => ({ value, label: t[value] }))}
          />
          <WholeField form={form} name="minimumInstalments" label={t.minimumInstalments} isRequired />
          <WholeField form={form} name="maximumInstalments" label={t.maximumInstalments} isRequired />
          <SelectField form={form} name="amortisation" label={t.amortisation} options={worded(amortisations)} />
        </FieldGrid>
      </FieldGroup>
      <FieldGroup title={t.interest}>
        <FieldGrid columns={3}>
          <AmountField form={form} name="annualRate" label={t.annualRate} isRequired />
          <SelectField form={form} name="interestMethod" label={t.interestMethod} options={worded(interestMethods)} />
          <SelectField
            form={form}
            name="dayCount"
            label={t.dayCount}
            options={loanDayCounts.map((value) => ({
              value,
              label: dayCountText(value),
            }))}
          />
          <WholeField form={form} name="principalGrace" label={t.principalGrace} hint={t.zeroHint} />
          <WholeField form={form} name="interestGrace" label={t.interestGrace} hint={t.zeroHint} />
        </FieldGrid>
      </FieldGroup>
      <FeeFields form={form} />
      <RuleFields form={form} />
    </div>
  );
}

function FeeFields({ form }: Pick<Props, "form">) {
  const t = useTexts(productTexts);
  return (
    <FieldGroup title={t.fees}>
      <FieldGrid>
        <AmountField form={form} name="disbursementFee" label={t.disbursementFee} />
        <AmountField form={form} name="disbursementFeePercent" label={t.disbursementFeePercent} />
        <AmountField form={form} name="instalmentFee" label={t.instalmentFee} />
        <AmountField form={form} name="instalmentFeePercent" label={t.instalmentFeePercent} />
        <AmountField form={form} name="penalty" label={t.penalty} />
        <AmountField form={form} name="penaltyPercent" label={t.penaltyPercent} />
        <AmountField form={form} name="payoffFee" label={t.payoffFee} />
        <AmountField form={form} name="payoffFeePercent" label={t.payoffFeePercent} />
        <WholeField form={form} name="penaltyGraceDays" label={t.penaltyGraceDays} hint={t.zeroHint} />
      </FieldGrid>
    </FieldGroup>
  );
}

function RuleFields({ form }: Pick<Props, "form">) {
  const t = useTexts(productTexts);
  return (
    <FieldGroup title={t.rules}>
      <FieldGrid>
        <SelectField form={form} name="businessDayRule" label={t.businessDayRule} options={worded(businessDayRules)} />
        <SelectField form={form} name="payoffInterest" label={t.payoffInterest} options={worded(payoffInterests)} />
        <SelectField form={form} name="allocationOrder" label={t.allocation} options={orders} />
        <AmountField
          form={form}
          name="affordabilityPercent"
          label={t.affordabilityPercent}
          hint={t.affordabilityHint}
        />
        <CheckField form={form} name="thirdPartyCollection" label={t.thirdPartyCollection} />
        <CheckField form={form} name="approvedAtOnce" label={t.approvedAtOnce} />
      </FieldGrid>
    </FieldGroup>
  );
}

/** Every order of the four parts that a repayment pays. */
const orders = permutations(allocationParts).map((order) => ({
  value: order.join(","),
  label: order.map(inWords).join(" → "),
}));

function permutations(of: readonly string[]): string[][] {
  if (of.length === 0) return [[]];
  return of.flatMap((first) => permutations(of.filter((other) => other !== first)).map((rest) => [first, ...rest]));
}
