import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { Button } from "../../ui/button";
import { Dialog, DialogActions } from "../../ui/dialog";
import { Form, SubmitButton, TextField, useActionForm } from "../../ui/form";
import { useAction } from "../../ui/use-action";
import { texts } from "./texts";
import type { Holding } from "./types";

/** Names the wallet that a holding is paid into. */
export function WalletDialog({ holding, onClose }: { holding: Holding; onClose: () => void }) {
  const t = useTexts(texts);
  const name = useAction({
    operation: "setInvestmentWallet",
    run: (body: { userWalletId: string }, options) => api.investments.setWallet(holding.holdingId, body, options),
    stales: ["investments"],
    done: t.walletNamed,
    onDone: onClose,
  });
  const form = useActionForm({
    defaults: { userWalletId: "" },
    action: name,
    toInput: ({ userWalletId }) => ({ userWalletId: userWalletId.trim() }),
  });
  return (
    <Dialog title={t.nameWallet} onClose={onClose}>
      <p className="mb-4 text-muted">{t.nameWalletHint}</p>
      <Form of={form}>
        <TextField form={form.form} name="userWalletId" label={t.walletId} isRequired />
        <DialogActions>
          <Button onClick={onClose}>{t.cancel}</Button>
          <SubmitButton of={form}>{t.save}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
