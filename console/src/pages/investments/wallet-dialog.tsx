import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { TextField, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { texts } from "./texts";
import type { Holding } from "./types";

/** Names the wallet that a holding is paid into. */
export function WalletDialog({ holding, onClose }: { holding: Holding; onClose: () => void }) {
  const t = useTexts(texts);
  const form = useActionForm({
    operation: "setInvestmentWallet",
    run: (body: { userWalletId: string }, options) => api.investments.setWallet(holding.holdingId, body, options),
    stales: ["investments"],
    done: t.walletNamed,
    onDone: onClose,
    defaults: { userWalletId: "" },
    toInput: ({ userWalletId }) => ({ userWalletId: userWalletId.trim() }),
  });
  return (
    <FormDialog
      title={t.nameWallet}
      of={form}
      submit={t.save}
      intro={<p className="mb-4 text-muted">{t.nameWalletHint}</p>}
      onClose={onClose}
    >
      <TextField form={form.form} name="userWalletId" label={t.walletId} isRequired />
    </FormDialog>
  );
}
