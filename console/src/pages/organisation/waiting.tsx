import { useQuery } from "@tanstack/react-query";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { Diff } from "../../ui/facts";
import { Link } from "../../ui/link";
import { Section } from "../../ui/panels";
import { Value, useChangeName } from "../approvals/changes";
import { texts } from "./texts";

/** Changes that a second manager has not decided about; nothing where there is none. */
export function WaitingChanges() {
  const t = useTexts(texts);
  const nameOf = useChangeName();
  const query = { status: "PENDING", kind: "SETTING_CHANGE" } as const;
  const waiting = useQuery(
    read("approvals", "listApprovals", query, (options) => api.approvals.list(query, options).toArray({ max: 20 })),
  );
  if (waiting.data === undefined || waiting.data.length === 0) return null;
  return (
    <Section title={t.waitingTitle}>
      <p className="mb-2 text-muted">{t.waitingHint}</p>
      {waiting.data.map(({ id, askedBecause, changes = [] }) => (
        <div key={id} className="mb-3">
          <p className="font-medium">{askedBecause}</p>
          <Diff
            changes={changes.map((change) => ({
              field: nameOf(change.field),
              before: change.before && <Value of={change} text={change.before} />,
              after: change.after && <Value of={change} text={change.after} />,
            }))}
          />
        </div>
      ))}
      <Link to="/approvals" className="link">
        {t.toApprovals}
      </Link>
    </Section>
  );
}
