import { History as HistoryIcon, Pencil } from "lucide-react";
import { useTexts } from "../../lib/language";
import { IconButton } from "../../ui/button";
import { placeTexts } from "./place-texts";

interface Props {
  code: string;
  /** Absent where this role may not. */
  onChange?: (() => void) | undefined;
  onHistory?: (() => void) | undefined;
}

/** What may be done with a row that is known by its code. */
export function RowActions({ code, onChange, onHistory }: Props) {
  const t = useTexts(placeTexts);
  return (
    <span className="-my-1 flex">
      {onChange && <IconButton icon={Pencil} label={t.change(code)} onClick={onChange} />}
      {onHistory && <IconButton icon={HistoryIcon} label={t.historyOf(code)} onClick={onHistory} />}
    </span>
  );
}
