import { type api, type AnswerOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { Button } from "../../ui/button";
import { Dialog, DialogActions } from "../../ui/dialog";
import { KeyValue } from "../../ui/facts";
import { Id, Money, Time } from "../../ui/figures";
import { texts } from "./texts";
import type { Sender } from "./types";

/** Cash that was taken or given, or that waits for a manager. */
export type Taken = AnswerOf<typeof api.cash.cashIn>;

interface Props {
  title: string;
  done: Taken;
  /** Whose wallet it was, where that is known. */
  customer?: Pick<Sender, "firstName" | "lastName" | "customerCode">;
  onClose: () => void;
}

/** What was done, to be shown to the customer. */
export function Slip({ title, done, customer, onClose }: Props) {
  const t = useTexts(texts);
  const money = (amount: string) => <Money amount={amount} currency={done.currency} />;
  return (
    <Dialog title={title} onClose={onClose}>
      <div role="status" className="flex flex-col gap-3">
        <p className="font-medium">{"movementId" in done ? t.booked : t.waitsForManager}</p>
        <KeyValue
          columns={2}
          facts={[
            ...(customer === undefined
              ? []
              : [
                  { label: t.name, value: `${customer.firstName} ${customer.lastName}` },
                  { label: t.customerCode, value: customer.customerCode },
                ]),
            { label: t.amount, value: <strong>{money(done.amount)}</strong> },
            ...("movementId" in done
              ? [
                  { label: t.newBalance, value: money(done.newBalance) },
                  { label: t.when, value: <Time at={done.at} seconds /> },
                  { label: t.number, value: <Id value={done.movementId} /> },
                ]
              : [
                  { label: t.when, value: <Time at={done.createdAt} seconds /> },
                  { label: t.number, value: <Id value={done.cashInId} /> },
                ]),
          ]}
        />
      </div>
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          {t.finished}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
