import { useState } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { isStatus } from "../../lib/queries";
import { Button } from "../../ui/button";
import { Money } from "../../ui/figures";
import { ErrorPanel } from "../../ui/panels";
import { useAction } from "../../ui/use-action";
import { texts } from "./texts";

interface Props {
  /** Wallets of this currency alone. */
  currency: string;
  chosen: string;
  onChoose: (accountId: string) => void;
}

const phone = /^\+?[\d\s().-]{6,}$/;

/** A customer by code or phone number, and then one of their wallets. */
export function FindWallet({ currency, chosen, onChoose }: Props) {
  const t = useTexts(texts);
  const [text, setText] = useState("");
  const [found, setFound] = useState<Awaited<ReturnType<typeof walletsOf>>>();
  const find = useAction({
    operation: "findCustomer",
    run: (typed: string) => walletsOf(typed),
    onDone: (all) => {
      setFound(all);
      onChoose("");
    },
  });
  const wallets = found?.wallets.filter((wallet) => wallet.currency === currency) ?? [];
  const isNobody = isStatus(find.error, 404);
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium">{t.whose}</legend>
      <div className="flex gap-2">
        <input
          className="control"
          aria-label={t.codeOrPhone}
          placeholder={t.codeOrPhone}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            if (text.trim() !== "") void find.run(text.trim());
          }}
        />
        <Button busy={find.isRunning} disabled={text.trim() === ""} onClick={() => void find.run(text.trim())}>
          {t.find}
        </Button>
      </div>
      {isNobody ? <p role="status">{t.nobody}</p> : <ErrorPanel error={find.error} />}
      {found && !isNobody && (
        <div role="status" className="flex flex-col gap-1.5">
          <p className="font-medium">
            {found.customer.firstName} {found.customer.lastName} · {found.customer.customerCode}
          </p>
          {wallets.length === 0 && <p className="text-muted">{t.noWallet(currency)}</p>}
          {wallets.map(({ accountId, accountNumber, availableBalance }) => (
            <label key={accountId} className="flex items-center gap-2">
              <input
                type="radio"
                name="wallet"
                className="size-4 accent-(--accent)"
                checked={chosen === accountId}
                onChange={() => onChoose(accountId)}
              />
              <span className="figures">{accountNumber}</span>
              <Money amount={availableBalance} currency={currency} />
            </label>
          ))}
        </div>
      )}
    </fieldset>
  );
}

async function walletsOf(typed: string) {
  const customer = await api.people.findCustomer(
    phone.test(typed) ? { phoneNumber: typed.replaceAll(/[\s().-]/g, "") } : { customerCode: typed },
  );
  return { customer, wallets: await api.payments.listWalletAccounts({ customerId: customer.customerId }) };
}
