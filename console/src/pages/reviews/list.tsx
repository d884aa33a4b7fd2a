import { useTexts } from "../../lib/language";
import { Page } from "../../ui/page";
import { Tabs } from "../../ui/tabs";
import { Documents } from "./documents";
import { Overrides } from "./overrides";
import { texts } from "./texts";
import { Waiting } from "./waiting";

export default function Reviews() {
  const t = useTexts(texts);
  return (
    <Page title={t.title} about={t.about}>
      <Tabs
        label={t.title}
        name="show"
        tabs={[
          { key: "waiting", label: t.waiting, content: <Waiting /> },
          { key: "documents", label: t.documents, content: <Documents /> },
          { key: "overrides", label: t.overrides, content: <Overrides /> },
        ]}
      />
    </Page>
  );
}
