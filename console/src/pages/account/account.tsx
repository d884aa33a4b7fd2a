import { useTexts } from "../../lib/language";
import { Page } from "../../ui/page";
import { Tabs } from "../../ui/tabs";
import { Factors } from "./factors";
import { Password } from "./password";
import { OwnProfile } from "./profile";
import { Sessions } from "./sessions";
import { texts } from "./texts";

export default function Account() {
  const t = useTexts(texts);
  return (
    <Page title={t.title}>
      <Tabs
        label={t.title}
        tabs={[
          { key: "profile", label: t.profile, content: <OwnProfile /> },
          { key: "password", label: t.password, content: <Password /> },
          { key: "factors", label: t.factors, content: <Factors /> },
          { key: "sessions", label: t.sessions, content: <Sessions /> },
        ]}
      />
    </Page>
  );
}
