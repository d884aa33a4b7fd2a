import { StatusBadge } from "../../ui/badge";
import { useWord } from "../compliance/codes";
import { priorityTones, statusTones } from "./codes";

export function Priority({ priority }: { priority: string }) {
  const word = useWord();
  return <StatusBadge status={priority} label={word(priority)} tone={priorityTones[priority] ?? "neutral"} />;
}

export function CaseStatus({ status }: { status: string }) {
  const word = useWord();
  return <StatusBadge status={status} label={word(status)} tone={statusTones[status] ?? "neutral"} />;
}
