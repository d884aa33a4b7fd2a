import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useTexts } from "../../lib/language";
import { useMay } from "../../lib/use-session";
import { Badge } from "../../ui/badge";
import { Page } from "../../ui/page";
import { Loaded } from "../../ui/panels";
import { History } from "../corridors/history";
import { TemplateForm } from "./template-form";
import { templatesQuery } from "./templates";
import { texts } from "./texts";
import type { Profile } from "./types";

export default function TemplatePage() {
  const t = useTexts(texts);
  const may = useMay();
  const { profile } = useParams({ strict: false }) as { profile: string };
  const templates = useQuery(templatesQuery());
  const found = templates.data?.find((one) => one.profile === profile);
  const [language, setLanguage] = useState("en");
  return (
    <Page
      title={found ? t[found.profile as Profile] : profile}
      about={t.templateAbout}
      badge={
        found && <Badge tone={found.version > 0 ? "accent" : "neutral"}>{found.version > 0 ? t.own : t.usual}</Badge>
      }
      back={{ to: "/disclosures", label: t.title }}
    >
      <Loaded query={templates} lines={8}>
        {() =>
          found && (
            <>
              <TemplateForm
                key={`${found.version} ${language}`}
                template={found}
                language={language}
                onLanguage={setLanguage}
              />
              {may("listSettingChanges") && <History kind="DISCLOSURE" settingKey={profile} />}
            </>
          )
        }
      </Loaded>
    </Page>
  );
}
