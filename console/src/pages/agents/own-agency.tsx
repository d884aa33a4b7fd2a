import { useQuery } from "@tanstack/react-query";
import { difference } from "../../lib/exact";
import { useTexts } from "../../lib/language";
import { useUser } from "../../lib/use-session";
import { KeyValue } from "../../ui/facts";
import { Money } from "../../ui/figures";
import { Link } from "../../ui/link";
import { Section } from "../../ui/panels";
import { Accounts } from "./gauge";
import { configurationQuery } from "./queries";
import { settlementTexts } from "./settlement-texts";
import { Settlements } from "./settlements";
import { texts } from "./texts";
import { Transfers } from "./transfers";

/** An agent's own: what may be sold for, and within which limits. Nothing where nothing is set. */
export function OwnAgency() {
  const t = useTexts(texts);
  const words = useTexts(settlementTexts);
  const { id } = useUser();
  const { data: own } = useQuery(configurationQuery(id));
  if (own === undefined || own === null) return null;
  const limit = (amount: string | undefined, currency: string) =>
    amount === undefined ? t.none : <Money amount={amount} currency={currency} />;
  return (
    <>
      {own.status === "SUSPENDED" && (
        <p role="alert" className="card px-4 py-3 font-medium text-bad">
          {t.isSuspended}
        </p>
      )}
      {own.mode === "ACCOUNT" && (
        <Section title={t.ownTitle}>
          <Accounts agentId={id} />
        </Section>
      )}
      {own.mode === "ACCOUNT" && <Transfers currencies={own.terms.map(({ currency }) => currency)} />}
      <Section
        title={t.ownLimits}
        actions={
          <Link to={`/agents/${id}`} className="link">
            {t.ownConfiguration}
          </Link>
        }
      >
        <KeyValue
          columns={2}
          facts={own.terms.flatMap(({ currency, perTransaction, perDay, usedToday }) => [
            { label: t.limitOnce(currency), value: limit(perTransaction, currency) },
            { label: t.limitDay(currency), value: limit(perDay, currency) },
            ...(perDay === undefined || usedToday === undefined
              ? []
              : [
                  { label: t.usedToday(currency), value: limit(usedToday, currency) },
                  { label: t.leftToday(currency), value: limit(difference(perDay, usedToday), currency) },
                ]),
          ])}
        />
      </Section>
      <h2 className="text-lg font-semibold">{words.settlements}</h2>
      <Settlements />
    </>
  );
}
