import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { Button } from "../../ui/button";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { Dialog } from "../../ui/dialog";
import { Loaded } from "../../ui/panels";
import { useStaffNames } from "../../ui/person";
import { useAction } from "../../ui/use-action";
import { Effects, effectKey } from "./effects";
import { texts } from "./texts";
import type { Approval, Shown } from "./types";

const areas = ["approvals", "transactions", "home"] as const;

export interface Deciding {
  approval: Approval;
  how: "approve" | "refuse";
}

export function Decision({ approval, how, onClose }: Deciding & { onClose: () => void }) {
  return how === "approve" ? (
    <Approving approval={approval} onClose={onClose} />
  ) : (
    <Refusing approval={approval} onClose={onClose} />
  );
}

function useShown(id: string) {
  return useQuery(read("approvals", "readApproval", { id }, (options) => api.approvals.read(id, options)));
}

/** What is approved is what was seen: where it does something else by now that is seen first. */
function Approving({ approval, onClose }: { approval: Approval; onClose: () => void }) {
  const t = useTexts(texts);
  const named = useStaffNames();
  const query = useShown(approval.id);
  const [seen, setSeen] = useState<Shown>();
  if (seen === undefined && query.data?.digest !== undefined) setSeen(query.data);
  const isChanged = query.data?.digest !== undefined && seen !== undefined && query.data.digest !== seen.digest;
  const approve = useAction({
    operation: "approveApproval",
    run: (reason: string, options) =>
      api.approvals.approve(approval.id, { reason, digest: seen?.digest ?? "" }, options),
    stales: areas,
    done: t.approved,
  });
  return (
    <ConfirmDialog
      title={t.approveTitle}
      confirm={t.approve}
      isReady={seen !== undefined && !isChanged}
      action={approve}
      onClose={onClose}
    >
      <p className="font-medium">{named(approval.summary)}</p>
      <Loaded query={query}>
        {(now) =>
          now.digest === undefined ? (
            <p className="font-medium text-warn">{now.status === "PENDING" ? t.effectsAway : t.isDecided}</p>
          ) : (
            <div className="flex flex-col gap-3">
              {isChanged && <Changed seen={seen} now={now} onSeen={() => (approve.reset(), setSeen(now))} />}
              <WhatIsDone label={t.effects} seen={seen ?? now} now={now} />
              <p className="text-muted">{t.approveHint}</p>
            </div>
          )
        }
      </Loaded>
    </ConfirmDialog>
  );
}

function WhatIsDone({ label, seen, now }: { label: string; seen: Shown; now: Shown }) {
  const known = new Set((seen.effects ?? []).map(effectKey));
  const isNew = (effect: NonNullable<Shown["effects"]>[number]) => !known.has(effectKey(effect));
  return <Effects label={label} effects={now.effects ?? []} count={now.effectCount} isNew={isNew} />;
}

function Changed({ seen, now, onSeen }: { seen: Shown; now: Shown; onSeen: () => void }) {
  const t = useTexts(texts);
  const current = new Set((now.effects ?? []).map(effectKey));
  const gone = (seen.effects ?? []).filter((effect) => !current.has(effectKey(effect)));
  return (
    <div role="alert" className="flex flex-col gap-2 rounded border border-line bg-warn-soft p-3">
      <p className="font-medium">{t.effectsChanged}</p>
      {gone.length > 0 && <Effects label={t.effectsGone} effects={gone} />}
      <Button onClick={onSeen}>{t.effectsSeen}</Button>
    </div>
  );
}

function Refusing({ approval, onClose }: { approval: Approval; onClose: () => void }) {
  const t = useTexts(texts);
  const named = useStaffNames();
  const refuse = useAction({
    operation: "refuseApproval",
    run: (reason: string, options) => api.approvals.refuse(approval.id, { reason }, options),
    stales: areas,
    done: t.refused,
  });
  return (
    <ConfirmDialog title={t.refuseTitle} confirm={t.refuse} danger action={refuse} onClose={onClose}>
      <p className="font-medium">{named(approval.summary)}</p>
      <p className="text-muted">{t.refuseHint}</p>
    </ConfirmDialog>
  );
}

/** What was approved, and what had joined by the time that it was carried out. */
export function Done({ approval, onClose }: { approval: Approval; onClose: () => void }) {
  const t = useTexts(texts);
  const query = useShown(approval.id);
  return (
    <Dialog title={approval.summary} onClose={onClose}>
      <Loaded query={query}>
        {({ effects, effectCount, joined = [], joinedCount }) => (
          <div className="flex flex-col gap-4">
            {effects === undefined ? (
              <p className="text-muted">{t.oneWasEnough}</p>
            ) : (
              <Effects label={t.effectsApproved} effects={effects} count={effectCount} />
            )}
            {joined.length > 0 && <Effects label={t.joined} effects={joined} count={joinedCount} />}
          </div>
        )}
      </Loaded>
    </Dialog>
  );
}
