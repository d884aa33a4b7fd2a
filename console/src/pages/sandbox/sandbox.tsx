import { FlaskConical } from "lucide-react";
import { isSandbox, switchEnvironment } from "../../lib/environment";
import { useTexts } from "../../lib/language";
import { useMay } from "../../lib/use-session";
import { Button } from "../../ui/button";
import { Page } from "../../ui/page";
import { Empty } from "../../ui/panels";
import { Tabs, type Tab } from "../../ui/tabs";
import { BusinessDate } from "./business-date";
import { Messages } from "./messages";
import { Outcomes } from "./outcomes";
import { Partner } from "./partner";
import { texts } from "./texts";

export default function SandboxTools() {
  const t = useTexts(texts);
  const may = useMay();
  if (!isSandbox) {
    return (
      <Page title={t.title}>
        <div className="card">
          <Empty icon={FlaskConical} title={t.liveHere}>
            <p className="mb-3">{t.liveHereHint}</p>
            <Button onClick={switchEnvironment}>{t.toSandbox}</Button>
          </Empty>
        </div>
      </Page>
    );
  }
  const tabs: (Tab | false)[] = [
    may("listForcedOutcomes") && { key: "outcomes", label: t.outcomes, content: <Outcomes /> },
    { key: "date", label: t.businessDate, content: <BusinessDate /> },
    { key: "messages", label: t.messages, content: <Messages /> },
    may("settlePayout") && { key: "partner", label: t.partner, content: <Partner /> },
  ];
  return (
    <Page title={t.title} about={t.about}>
      <Tabs label={t.title} tabs={tabs.filter((tab) => tab !== false)} />
    </Page>
  );
}
