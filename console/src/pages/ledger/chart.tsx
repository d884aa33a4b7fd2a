import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { chartQuery } from "../../lib/chart";
import { useTexts } from "../../lib/language";
import { useMay } from "../../lib/use-session";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Loaded, Section } from "../../ui/panels";
import { Table } from "../../ui/table";
import { inWords } from "../../ui/words";
import { OpenAccountDialog } from "./open-account-dialog";
import { texts } from "./texts";

/** What each code is, on which side it grows, and who posts from its accounts. */
export function Chart() {
  const t = useTexts(texts);
  const may = useMay();
  const chart = useQuery(chartQuery);
  const [isOpening, setOpening] = useState(false);
  return (
    <Section
      title={t.chart}
      flush
      actions={
        may("openBookAccount") && (
          <Button icon={Plus} onClick={() => setOpening(true)}>
            {t.openAccount}
          </Button>
        )
      }
    >
      <Loaded query={chart} lines={8}>
        {({ codes }) => (
          <Table
            label={t.chart}
            rows={codes}
            rowKey={({ code }) => code}
            rowLink={({ code }) => `/ledger?code=${code}`}
            columns={[
              { header: t.code, cell: ({ code }) => <span className="font-mono text-xs">{code}</span> },
              { header: t.meaning, cell: ({ meaning }) => meaning },
              { header: t.type, cell: ({ type }) => inWords(type) },
              { header: t.growsOn, cell: ({ side }) => inWords(side) },
              {
                header: t.openedBy,
                cell: ({ openedByPeople, service }) =>
                  openedByPeople ? <Badge tone="accent">{t.managers}</Badge> : service,
              },
              { header: t.postedBy, cell: ({ postedBy }) => postedBy.join(", ") },
            ]}
          />
        )}
      </Loaded>
      {isOpening && <OpenAccountDialog onClose={() => setOpening(false)} />}
    </Section>
  );
}
