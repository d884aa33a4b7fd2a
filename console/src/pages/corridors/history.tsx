import { useQuery } from "@tanstack/react-query";
import { api, type RowOf } from "../../lib/api";
import { useLanguage, useTexts } from "../../lib/language";
import { grouped } from "../../lib/money";
import { read } from "../../lib/queries";
import { Diff, Timeline } from "../../ui/facts";
import { Time } from "../../ui/figures";
import { Loaded, Section } from "../../ui/panels";
import { Person } from "../../ui/person";
import { differences, fieldName, isParts, majorText } from "./setting-change";
import { texts } from "./texts";

type SettingChange = RowOf<typeof api.corridors.listSettingChanges>;
type Kind = "CORRIDOR" | "MARKUP" | "PROMOTION" | "PAYOUT_POINT" | "BRANCH" | "DISCLOSURE";

interface Props {
  kind: Kind;
  settingKey: string;
  /** An amount in the setting's currency: its decimals say how minor units are written. */
  like?: string | undefined;
}

/** Every version of a setting, the newest first, with what it changed. */
export function History({ kind, settingKey, like }: Props) {
  const t = useTexts(texts);
  const changes = useQuery(
    read("corridors", "listSettingChanges", { kind, key: settingKey }, (options) =>
      api.corridors.listSettingChanges({ kind, key: settingKey }, options).toArray({ max: 100 }),
    ),
  );
  return (
    <Section title={t.history}>
      <Loaded query={changes}>{(found) => <Versions changes={found} like={like} />}</Loaded>
    </Section>
  );
}

function Versions({ changes, like }: { changes: readonly SettingChange[]; like: string | undefined }) {
  const t = useTexts(texts);
  if (changes.length === 0) return <p className="text-muted">{t.noHistory}</p>;
  return (
    <Timeline
      entries={changes.map((change, index) => {
        const before = changes[index + 1];
        return {
          key: String(change.version),
          title: `${t.version} ${change.version}`,
          at: <Time at={change.changedAt} />,
          isLatest: index === 0,
          detail: (
            <div className="flex flex-col gap-1.5">
              <span>
                <Person id={change.changedBy} />
              </span>
              {before ? <Changed before={before} after={change} like={like} /> : change.version === 1 && t.first}
            </div>
          ),
        };
      })}
    />
  );
}

function Changed({ before, after, like }: { before: SettingChange; after: SettingChange; like: string | undefined }) {
  const t = useTexts(texts);
  const language = useLanguage();
  const changes = differences(before.content, after.content);
  if (changes.length === 0) return t.unchanged;
  const shown = ({ field, value }: { field: string; value: unknown }) => {
    if (value === undefined || value === null || value === "") return undefined;
    if (isParts(value)) return JSON.stringify(value);
    const text = String(value as string | number | boolean);
    return field.endsWith("Minor") && like !== undefined ? grouped(majorText(text, like), language) : text;
  };
  return (
    <div className="overflow-x-auto text-ink">
      <Diff
        changes={changes.map(({ field, before: old, after: now }) => ({
          field: fieldName(field, like !== undefined),
          before: shown({ field, value: old }),
          after: shown({ field, value: now }),
        }))}
      />
    </div>
  );
}
