import { useQuery } from "@tanstack/react-query";
import { FileText, Lock, LockOpen } from "lucide-react";
import { useState } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { useUrlState } from "../../lib/url-state";
import { useMay } from "../../lib/use-session";
import { StatusBadge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { KeyValue } from "../../ui/facts";
import { Money } from "../../ui/figures";
import { Empty, Loaded, Section } from "../../ui/panels";
import { useAction } from "../../ui/use-action";
import { inWords } from "../../ui/words";
import { Statement } from "./statement";
import { texts } from "./texts";
import type { Customer, Wallet } from "./types";

/** What they hold, a card a currency, with the statement of the chosen one below. */
export function Wallets({ customer: { customerId } }: { customer: Customer }) {
  const t = useTexts(texts);
  const { values, set } = useUrlState();
  const [freezing, setFreezing] = useState<Wallet>();
  const wallets = useQuery(
    read("wallets", "listWalletAccounts", { customerId }, (options) =>
      api.payments.listWalletAccounts({ customerId }, options),
    ),
  );
  const choose = (accountId: string) =>
    set({ wallet: accountId, at: undefined, page: undefined, from: undefined, to: undefined });
  return (
    <Loaded query={wallets} lines={6}>
      {(found) => {
        if (found.length === 0) {
          return (
            <div className="card">
              <Empty title={t.noWallets}>{t.noWalletsHint}</Empty>
            </div>
          );
        }
        const chosen = found.find(({ accountId }) => accountId === values["wallet"]) ?? found[0]!;
        return (
          <div className="flex min-w-0 flex-col gap-4">
            <ul aria-label={t.wallets} className="grid grid-cols-1 gap-3 sm:grid-cols-2 xl:grid-cols-3">
              {found.map((wallet) => (
                <li key={wallet.accountId} className="min-w-0">
                  <WalletCard
                    wallet={wallet}
                    isChosen={wallet === chosen}
                    onChoose={() => choose(wallet.accountId)}
                    onFreeze={() => setFreezing(wallet)}
                  />
                </li>
              ))}
            </ul>
            <Statement key={chosen.accountId} wallet={chosen} />
            <BankAccounts customerId={customerId} />
            {freezing && <FreezeDialog wallet={freezing} onClose={() => setFreezing(undefined)} />}
          </div>
        );
      }}
    </Loaded>
  );
}

interface CardProps {
  wallet: Wallet;
  isChosen: boolean;
  onChoose: () => void;
  onFreeze: () => void;
}

function WalletCard({ wallet, isChosen, onChoose, onFreeze }: CardProps) {
  const t = useTexts(texts);
  const may = useMay();
  const isFrozen = wallet.status === "FROZEN";
  return (
    <article
      aria-label={`${wallet.currency} ${wallet.accountNumber}`}
      className={`card flex h-full flex-col gap-2 p-3 ${isChosen ? "outline-2 outline-accent" : ""}`}
    >
      <div className="flex items-start justify-between gap-2">
        <div>
          <p className="figures text-lg font-semibold">
            <Money amount={wallet.availableBalance} currency={wallet.currency} />
          </p>
          <p className="text-xs text-muted">
            {t.held}: <Money amount={wallet.heldBalance} /> · <span className="figures">{wallet.accountNumber}</span>
          </p>
        </div>
        <StatusBadge status={wallet.status} tone={isFrozen ? "bad" : wallet.status === "OPEN" ? "good" : "neutral"} />
      </div>
      <div className="mt-auto flex flex-wrap gap-2">
        <Button icon={FileText} variant="quiet" aria-pressed={isChosen} onClick={onChoose}>
          {t.statement}
        </Button>
        {may("setWalletAccountFrozen") && wallet.status !== "CLOSED" && (
          <Button icon={isFrozen ? LockOpen : Lock} variant="quiet" onClick={onFreeze}>
            {isFrozen ? t.unfreeze : t.freeze}
          </Button>
        )}
      </div>
    </article>
  );
}

function FreezeDialog({ wallet, onClose }: { wallet: Wallet; onClose: () => void }) {
  const t = useTexts(texts);
  const freezes = wallet.status !== "FROZEN";
  const change = useAction({
    operation: "setWalletAccountFrozen",
    run: (reason: string, options) =>
      api.payments.setWalletAccountFrozen(wallet.accountId, { frozen: freezes, reason }, options),
    stales: ["wallets"],
    done: freezes ? t.isFrozen : t.isUnfrozen,
  });
  return (
    <ConfirmDialog
      title={freezes ? t.freezeTitle : t.unfreezeTitle}
      confirm={freezes ? t.freeze : t.unfreeze}
      danger={freezes}
      action={change}
      onClose={onClose}
    >
      <p className="mb-2 font-medium">
        <Money amount={wallet.availableBalance} currency={wallet.currency} /> · {wallet.accountNumber}
      </p>
      <p className="text-muted">{freezes ? t.freezeHint : t.unfreezeHint}</p>
    </ConfirmDialog>
  );
}

function BankAccounts({ customerId }: { customerId: string }) {
  const t = useTexts(texts);
  const accounts = useQuery(
    read("wallets", "listBankAccounts", { customerId }, (options) =>
      api.payments.listBankAccounts({ customerId }, options),
    ),
  );
  return (
    <Section title={t.bankAccounts}>
      <Loaded query={accounts} lines={2}>
        {(found) =>
          found.length === 0 ? (
            <p className="text-muted">{t.noBankAccounts}</p>
          ) : (
            <KeyValue
              columns={2}
              facts={found.map((account) => ({
                label: `${account.bankName} · ${account.currency} · ${inWords(account.status)}`,
                value: `${account.accountHolderName} · ${account.accountNumber}`,
              }))}
            />
          )
        }
      </Loaded>
    </Section>
  );
}
