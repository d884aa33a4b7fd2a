import type { AnswerOf } from "../../lib/api";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { Button } from "../../ui/button";
import { Form, SubmitButton, useActionForm } from "../../ui/form";
import { Table } from "../../ui/table";
import { texts } from "./texts";

type Code = AnswerOf<typeof api.books.readChart>["codes"][number];
type Own = AnswerOf<typeof api.books.readChartMapping>["mapping"]["codes"][number];
interface Values {
  rows: { account: string; name: string }[];
}

interface Props {
  chart: readonly Code[];
  own: ReadonlyMap<string, Own>;
  onClose: () => void;
}

/** A new version of the mapping: a code without an account is left out of it. */
export function MappingForm({ chart, own, onClose }: Props) {
  const t = useTexts(texts);
  const of = useActionForm<Values, { codes: Own[] }, unknown>({
    operation: "putChartMapping",
    run: (mapping, options) => api.books.putChartMapping(mapping, options),
    stales: ["books"],
    done: t.mappingPut,
    onDone: onClose,
    keep: true,
    defaults: {
      rows: chart.map(({ code }) => ({ account: own.get(code)?.account ?? "", name: own.get(code)?.name ?? "" })),
    },
    toInput: ({ rows }) => ({
      codes: rows.flatMap(({ account, name }, index) => {
        const { code, meaning } = chart[index]!;
        return account.trim() === "" ? [] : [{ code, account: account.trim(), name: name.trim() || meaning }];
      }),
    }),
  });
  const { register } = of.form;
  return (
    <Form of={of}>
      <Table
        label={t.changeMapping}
        rows={chart}
        rowKey={({ code }) => code}
        columns={[
          {
            header: t.code,
            cell: ({ code, meaning }) => (
              <>
                <span className="font-mono text-xs">{code}</span>
                <div className="text-xs font-normal text-muted">{meaning}</div>
              </>
            ),
          },
          {
            header: t.ownAccount,
            cell: ({ code }) => (
              <input
                className="control"
                maxLength={40}
                aria-label={t.ownAccountOf(code)}
                {...register(`rows.${chart.findIndex((one) => one.code === code)}.account`)}
              />
            ),
          },
          {
            header: t.name,
            cell: ({ code, meaning }) => (
              <input
                className="control"
                placeholder={meaning}
                maxLength={100}
                aria-label={t.nameOf(code)}
                {...register(`rows.${chart.findIndex((one) => one.code === code)}.name`)}
              />
            ),
          },
        ]}
      />
      <div className="flex flex-wrap justify-end gap-2 border-t border-line px-4 py-3">
        <Button onClick={onClose}>{t.cancel}</Button>
        <SubmitButton of={of}>{t.putMapping}</SubmitButton>
      </div>
    </Form>
  );
}
