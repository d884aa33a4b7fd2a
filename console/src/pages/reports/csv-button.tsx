import { Download } from "lucide-react";
import type { OperationId } from "../../generated/roles";
import { saveFile } from "../../lib/files";
import { useTexts } from "../../lib/language";
import { Button } from "../../ui/button";
import { ErrorPanel } from "../../ui/panels";
import { useAction } from "../../ui/use-action";
import { texts } from "./texts";

interface Props {
  operation: OperationId;
  name: string;
  load: () => PromiseLike<unknown>;
}

export function CsvButton({ operation, name, load }: Props) {
  const t = useTexts(texts);
  const save = useAction({ operation, run: async () => saveFile(await load(), name, "text/csv"), done: t.isSaved });
  return (
    <div className="flex flex-wrap items-center gap-2">
      <ErrorPanel error={save.error} />
      <Button icon={Download} busy={save.isRunning} onClick={() => void save.run()}>
        {t.csv}
      </Button>
    </div>
  );
}
