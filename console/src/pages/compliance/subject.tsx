import { useTexts } from "../../lib/language";
import { Id } from "../../ui/figures";
import { Link } from "../../ui/link";
import { Person } from "../../ui/person";
import { complianceTexts } from "./texts";

interface Named {
  name?: string | undefined;
  state?: string;
}

/** A name as it is kept, or why there is none. */
export function SubjectName({ name, state }: Named) {
  const t = useTexts(complianceTexts);
  if (name) return <bdi>{name}</bdi>;
  return <span className="text-muted">{state === "ERASED" ? t.nameErased : t.nameUnknown}</span>;
}

/**
 * The page of a subject: a customer's, also for who they send to; staff have a name and no page.
 */
export function SubjectLink({ kind, id, customerId }: { kind: string; id: string; customerId?: string | undefined }) {
  const t = useTexts(complianceTexts);
  if (kind === "STAFF") return <Person id={id} />;
  if (customerId === undefined) return <Id value={id} />;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <Link to={`/customers/${customerId}`} className="link">
        {t.open}
      </Link>
      <Id value={id} />
    </span>
  );
}
