import { CircleCheck, FileDown, RotateCcw } from "lucide-react";
import { useState } from "react";
import { api } from "../../lib/api";
import { saveFile } from "../../lib/files";
import { useTexts } from "../../lib/language";
import { useMay } from "../../lib/use-session";
import { Button } from "../../ui/button";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { Menu } from "../../ui/menu";
import { ErrorPanel } from "../../ui/panels";
import { useAction } from "../../ui/use-action";
import { CloseDialog } from "./close-dialog";
import { texts } from "./texts";
import type { Case } from "./types";

/** The end of a case, its new beginning, and what is handed to an authority. */
export function CaseActions({ of }: { of: Case }) {
  const t = useTexts(texts);
  const may = useMay();
  const [open, setOpen] = useState<"close" | "reopen">();
  const { caseId, number, version } = of;
  const reopen = useAction({
    operation: "reopenCase",
    run: (reason: string, options) => api.compliance.reopenCase(caseId, { version, reason }, options),
    stales: ["cases"],
    done: t.reopened,
  });
  const take = useAction({
    operation: "exportCase",
    run: async (form: "PDF" | "JSON", options) => {
      const answer = await api.compliance.exportCase(caseId, { form }, options);
      return form === "PDF"
        ? saveFile(answer, `case-${number}.pdf`, "application/pdf")
        : saveFile(JSON.stringify(answer, null, 2), `case-${number}.json`, "application/json");
    },
    stales: ["cases"],
    done: t.exported,
  });
  return (
    <>
      <ErrorPanel error={take.error} />
      {may("exportCase") && (
        <Menu
          label={t.export}
          button={
            <>
              <FileDown size={15} aria-hidden />
              {t.export}
            </>
          }
          items={[
            { key: "PDF", label: t.asPdf, onSelect: () => void take.run("PDF") },
            { key: "JSON", label: t.asJson, onSelect: () => void take.run("JSON") },
          ]}
        />
      )}
      {of.status === "CLOSED"
        ? may("reopenCase") && (
            <Button icon={RotateCcw} onClick={() => setOpen("reopen")}>
              {t.reopen}
            </Button>
          )
        : may("closeCase") && (
            <Button icon={CircleCheck} variant="primary" onClick={() => setOpen("close")}>
              {t.close}
            </Button>
          )}
      {open === "close" && <CloseDialog of={of} onClose={() => setOpen(undefined)} />}
      {open === "reopen" && (
        <ConfirmDialog title={t.reopenTitle} confirm={t.reopen} action={reopen} onClose={() => setOpen(undefined)}>
          {t.reopenHint}
        </ConfirmDialog>
      )}
    </>
  );
}
