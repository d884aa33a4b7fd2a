import { useTexts } from "../../lib/language";
import { Page } from "../../ui/page";
import { Tabs } from "../../ui/tabs";
import { Analytics } from "./analytics";
import { CallOver } from "./call-over";
import { texts } from "./texts";

export default function Reports() {
  const t = useTexts(texts);
  return (
    <Page title={t.title} about={t.about}>
      <Tabs
        label={t.title}
        tabs={[
          { key: "call-over", label: t.callOver, content: <CallOver /> },
          { key: "analytics", label: t.analytics, content: <Analytics /> },
        ]}
      />
    </Page>
  );
}
