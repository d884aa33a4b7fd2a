import { Undo2, UserCheck } from "lucide-react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useMay, useUser } from "../../lib/use-session";
import { Button } from "../../ui/button";
import { ErrorPanel } from "../../ui/panels";
import { Person } from "../../ui/person";
import { useAction } from "../../ui/use-action";
import { complianceTexts } from "./texts";

/** Whose desk a case is on, in words. */
export function OnDeskOf({ assignee }: { assignee: string | undefined }) {
  const t = useTexts(complianceTexts);
  return assignee ? <Person id={assignee} /> : <span className="text-muted">{t.nobody}</span>;
}

/** Takes a case on one's own desk, or gives back what lies there; onto the case as it is then. */
export function DeskButton({ caseId, assignee, of }: { caseId: string; assignee: string | undefined; of?: string }) {
  const t = useTexts(complianceTexts);
  const may = useMay();
  const user = useUser();
  const isOwn = assignee === user.id;
  const move = useAction({
    operation: "changeCase",
    run: async (to: string, options) => {
      const { version } = await api.compliance.readCase(caseId, {}, options);
      return api.compliance.changeCase(caseId, { assignee: to, version }, options);
    },
    stales: ["cases", "reviews", "home"],
    done: isOwn ? t.givenBack : t.taken,
  });
  if (!may("changeCase")) return null;
  const label = isOwn ? t.giveBack : t.take;
  return (
    <>
      <Button
        icon={isOwn ? Undo2 : UserCheck}
        busy={move.isRunning}
        onClick={() => void move.run(isOwn ? "" : user.id)}
        {...(of !== undefined && { "aria-label": `${label}: ${of}` })}
      >
        {label}
      </Button>
      <ErrorPanel error={move.error} />
    </>
  );
}
