import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { languageName, useLanguage, useTexts } from "../../lib/language";
import { Badge } from "../../ui/badge";
import { Page } from "../../ui/page";
import { Loaded, Section } from "../../ui/panels";
import { Rows } from "../../ui/rows";
import { templatesQuery } from "./templates";
import { texts } from "./texts";
import type { Profile } from "./types";

/** What senders are told by the law of each profile. */
export default function Disclosures() {
  const t = useTexts(texts);
  const own = useLanguage();
  const templates = useQuery(templatesQuery());
  return (
    <Page title={t.title} about={t.about}>
      <Loaded query={templates} lines={4}>
        {(found) => (
          <Section title={t.profiles} flush>
            <Rows
              label={t.profiles}
              rows={found}
              rowKey={({ profile }) => profile}
              empty=""
              columns={[
                {
                  header: t.profile,
                  cell: ({ profile }) => <Link to={`/disclosures/${profile}`}>{t[profile as Profile]}</Link>,
                },
                {
                  header: t.words,
                  cell: ({ version }) => (
                    <Badge tone={version > 0 ? "accent" : "neutral"}>{version > 0 ? t.own : t.usual}</Badge>
                  ),
                },
                {
                  header: t.languages,
                  cell: ({ languages }) => languages.map(({ language }) => languageName(language, own)).join(", "),
                },
              ]}
            />
          </Section>
        )}
      </Loaded>
    </Page>
  );
}
