import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { api, type RowOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { StatusBadge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { ErrorPanel, Skeleton } from "../../ui/panels";
import { FindCustomer } from "../counter/find-customer";
import type { Sender as Customer } from "../counter/types";
import { texts } from "./texts";

type Wallet = RowOf<typeof api.payments.listWalletAccounts>;

/** Whose wallet cash goes into or comes out of. */
export interface Owned {
  customer: Customer;
  wallet: Wallet;
}

interface Props {
  title: string;
  /** Of the till: a customer has one wallet in it at most. */
  currency: string;
  onClose: () => void;
  /** What is done with the wallet, and what says whose it is. */
  children: (owned: Owned, whose: ReactNode) => ReactNode;
}

/** Finds the customer who stands at the till, and their wallet in the till's currency. */
export function OfCustomer({ title, currency, onClose, children }: Props) {
  const t = useTexts(texts);
  const [customer, setCustomer] = useState<Customer>();
  const customerId = customer?.customerId ?? "";
  const wallets = useQuery({
    ...read("wallets", "listWalletAccounts", { customerId }, (options) =>
      api.payments.listWalletAccounts({ customerId }, options),
    ),
    enabled: customer !== undefined,
    // Never the wallets of the customer before, until this one's are there.
    placeholderData: () => undefined,
  });
  const wallet = wallets.data?.find((one) => one.currency === currency && one.status !== "CLOSED");
  const whose = customer && <Whose customer={customer} wallet={wallet} onOther={() => setCustomer(undefined)} />;
  if (customer && wallet) return children({ customer, wallet }, whose);
  return (
    <Dialog title={title} onClose={onClose}>
      {customer === undefined ? (
        <FindCustomer onChoose={setCustomer} />
      ) : (
        <>
          {whose}
          {wallets.error ? (
            <ErrorPanel error={wallets.error} />
          ) : wallets.data ? (
            <p role="alert" className="text-warn">
              {t.noWalletIn(currency)}
            </p>
          ) : (
            <Skeleton lines={2} />
          )}
        </>
      )}
    </Dialog>
  );
}

interface WhoseProps {
  customer: Customer;
  wallet: Wallet | undefined;
  onOther: () => void;
}

function Whose({ customer: { firstName, lastName, customerCode }, wallet, onOther }: WhoseProps) {
  const t = useTexts(texts);
  return (
    <div
      role="status"
      className="mb-3 flex flex-wrap items-center justify-between gap-2 rounded-md bg-canvas px-3 py-2"
    >
      <div className="flex min-w-0 flex-col gap-0.5">
        <p className="flex flex-wrap items-center gap-x-2">
          <span className="font-semibold">
            {firstName} {lastName}
          </span>
          <span className="font-mono text-xs">{customerCode}</span>
        </p>
        {wallet && (
          <p className="flex flex-wrap items-center gap-x-2">
            {t.wallet} <span className="figures">{wallet.accountNumber}</span> {wallet.currency}
            <StatusBadge status={wallet.status} />
          </p>
        )}
      </div>
      <Button onClick={onOther}>{t.otherCustomer}</Button>
    </div>
  );
}
