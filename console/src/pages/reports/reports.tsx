import { useTexts } from "../../lib/language";
import { useMay } from "../../lib/use-session";
import { Page } from "../../ui/page";
import { Tabs } from "../../ui/tabs";
import { Analytics } from "./analytics";
import { CallOver } from "./call-over";
import { Exports } from "./exports";
import { FiguresTab } from "./figures-tab";
import { texts } from "./texts";

export default function Reports() {
  const t = useTexts(texts);
  const may = useMay();
  return (
    <Page title={t.title} about={t.about}>
      <Tabs
        label={t.title}
        tabs={[
          { key: "call-over", label: t.callOver, content: <CallOver /> },
          { key: "analytics", label: t.analytics, content: <Analytics /> },
          { key: "figures", label: t.figures, content: <FiguresTab /> },
          ...(may("listReportExports") ? [{ key: "exports", label: t.files, content: <Exports /> }] : []),
        ]}
      />
    </Page>
  );
}
