import { useTexts } from "../../lib/language";
import { Page } from "../../ui/page";
import { Tabs } from "../../ui/tabs";
import { Arrivals } from "./arrivals";
import { Credits } from "./credits";
import { Holds } from "./holds";
import { Limits } from "./limits";
import { Payables } from "./payables";
import { texts } from "./texts";

export default function MoneyPage() {
  const t = useTexts(texts);
  return (
    <Page title={t.title} about={t.titleAbout}>
      <Tabs
        label={t.title}
        name="show"
        tabs={[
          { key: "credits", label: t.credits, content: <Credits /> },
          { key: "held", label: t.arrivals, content: <Arrivals /> },
          { key: "payables", label: t.payables, content: <Payables /> },
          { key: "limits", label: t.limits, content: <Limits /> },
          { key: "holds", label: t.holds, content: <Holds /> },
        ]}
      />
    </Page>
  );
}
