import { useQueries, useQuery } from "@tanstack/react-query";
import type { FieldPath, FieldValues, UseFormReturn } from "react-hook-form";
import { api } from "../lib/api";
import { chartQuery } from "../lib/chart";
import { useOrganisation } from "../lib/organisation";
import { read } from "../lib/queries";
import { useMay } from "../lib/use-session";
import { TextField } from "./form";

interface Props<Values extends FieldValues> {
  form: UseFormReturn<Values>;
  name: FieldPath<Values>;
  label: string;
  hint?: string;
  placeholder?: string;
  isRequired?: boolean;
}

/** An account of the organisation's own by its id: what is typed finds it by a part of its code. */
export function AccountField<Values extends FieldValues>(props: Props<Values>) {
  const ids = useOwnAccounts(String(props.form.watch(props.name) ?? ""));
  return <TextField {...props} list={ids} />;
}

const mostCodes = 3;
const mostAccounts = 50;

/** Accounts whose code has what is typed; codes alone of too many. None of a customer. */
export function useOwnAccounts(typed: string): readonly string[] {
  const may = useMay();
  const { currencies } = useOrganisation();
  const chart = useQuery({ ...chartQuery, enabled: may("readChart") });
  const [word = ""] = typed.trim().toLowerCase().split(":");
  const codes = (chart.data?.codes ?? []).filter(({ code, meaning }) =>
    `${code} ${code.replaceAll("_", " ")} ${meaning}`.toLowerCase().includes(word),
  );
  const exact = codes.filter(({ code }) => code === word);
  const found = exact.length > 0 ? exact : codes;
  const isNarrow = word !== "" && found.length <= mostCodes;
  const listed = useQueries({
    queries: (isNarrow && may("listLedgerAccounts") ? found : []).map(({ code }) => ({
      ...read("ledger", "listLedgerAccounts", { code, own: true }, (options) =>
        api.ledger.listAccounts({ code }, options).toArray({ max: mostAccounts }),
      ),
      staleTime: 60_000,
    })),
  });
  if (!isNarrow) return found.map(({ code }) => `${code}:`);
  const there = listed.flatMap(({ data }) => data ?? []).filter(({ ownerId }) => ownerId === undefined);
  // Made on need where the books have one of them in a currency.
  const sole = found
    .filter(({ service, openedByPeople }) => service === "ledger" && !openedByPeople)
    .flatMap(({ code }) => currencies.map((currency) => `${code}:${currency}`));
  return [...new Set([...there.map(({ accountId }) => accountId), ...sole])];
}
