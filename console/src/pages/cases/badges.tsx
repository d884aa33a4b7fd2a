import { StatusBadge, toneIn } from "../../ui/badge";
import { useWord } from "../compliance/codes";
import { priorityTones, statusTones } from "./codes";

export function Priority({ priority }: { priority: string }) {
  const word = useWord();
  return <StatusBadge status={priority} label={word(priority)} tone={toneIn(priorityTones, priority)} />;
}

export function CaseStatus({ status }: { status: string }) {
  const word = useWord();
  return <StatusBadge status={status} label={word(status)} tone={toneIn(statusTones, status)} />;
}
