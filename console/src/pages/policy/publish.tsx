import { Stamp } from "lucide-react";
import { useState } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useMay, useUser } from "../../lib/use-session";
import { Button } from "../../ui/button";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { useAction } from "../../ui/use-action";
import { texts } from "./texts";

interface Props {
  draft: { revision: number; authors?: readonly string[] | undefined };
  /** Changes that are not saved are not published. */
  isEdited: boolean;
  ofScreening?: boolean;
}

/** Puts a draft into force; whoever wrote any of its revisions does not. */
export function Publish({ draft, isEdited, ofScreening = false }: Props) {
  const t = useTexts(texts);
  const may = useMay();
  const user = useUser();
  const [isAsking, setAsking] = useState(false);
  const { revision } = draft;
  const operation = ofScreening ? "publishScreeningPolicyDraft" : "publishCompliancePolicyDraft";
  const publish = useAction<string, unknown>({
    operation,
    run: () =>
      ofScreening
        ? api.compliance.publishScreeningPolicyDraft({ revision })
        : api.compliance.publishPolicyDraft({ revision }),
    stales: ["policy", "screenings", "reviews"],
    done: t.isPublished,
  });
  if (!may(operation)) return null;
  const isOwn = draft.authors?.includes(user.id) === true;
  return (
    <>
      <Button
        icon={Stamp}
        disabled={isOwn || isEdited}
        title={isOwn ? t.ownDraft : undefined}
        onClick={() => setAsking(true)}
      >
        {t.publish}
      </Button>
      {isOwn && <p className="basis-full text-right text-xs text-muted">{t.ownDraft}</p>}
      {isAsking && (
        <ConfirmDialog
          title={t.publishTitle}
          confirm={t.publish}
          reason="none"
          action={publish}
          onClose={() => setAsking(false)}
        >
          {ofScreening ? t.publishScreeningHint : t.publishHint}
        </ConfirmDialog>
      )}
    </>
  );
}
