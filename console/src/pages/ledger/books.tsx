import { Download } from "lucide-react";
import { useState } from "react";
import { useTexts } from "../../lib/language";
import { useMay } from "../../lib/use-session";
import { Button } from "../../ui/button";
import { Page } from "../../ui/page";
import { Tabs } from "../../ui/tabs";
import { Accounts } from "./accounts";
import { Chart } from "./chart";
import { ExportDialog } from "./export-dialog";
import { Mapping } from "./mapping";
import { texts } from "./texts";
import { TrialBalance } from "./trial-balance";
import { Verifications } from "./verifications";

export default function Books() {
  const t = useTexts(texts);
  const may = useMay();
  const [isExporting, setExporting] = useState(false);
  return (
    <Page
      title={t.title}
      about={t.titleAbout}
      actions={
        <Button icon={Download} onClick={() => setExporting(true)}>
          {t.export}
        </Button>
      }
    >
      <Tabs
        label={t.title}
        name="show"
        tabs={[
          { key: "accounts", label: t.accounts, content: <Accounts /> },
          { key: "balance", label: t.trialBalance, content: <TrialBalance /> },
          ...(may("readChart") ? [{ key: "chart", label: t.chart, content: <Chart /> }] : []),
          ...(may("readChartMapping") ? [{ key: "mapping", label: t.ownChart, content: <Mapping /> }] : []),
          { key: "verifications", label: t.verifications, content: <Verifications /> },
        ]}
      />
      {isExporting && <ExportDialog onClose={() => setExporting(false)} />}
    </Page>
  );
}
