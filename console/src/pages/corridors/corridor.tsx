import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Pencil } from "lucide-react";
import { useState } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { useMay } from "../../lib/use-session";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Elsewhere } from "../../ui/elsewhere";
import { KeyValue } from "../../ui/facts";
import { Figure, Money } from "../../ui/figures";
import { Page } from "../../ui/page";
import { Empty, Loaded, Section } from "../../ui/panels";
import { Rows } from "../../ui/rows";
import { keyOf, useDeliveryText } from "./codes";
import { CorridorDialog } from "./corridor-dialog";
import { Fees } from "./fees";
import { History } from "./history";
import { texts } from "./texts";
import type { Corridor } from "./types";

/** One corridor: limits, fees, delivery, and who changed what of it. */
export default function CorridorPage() {
  const t = useTexts(texts);
  const may = useMay();
  const [isChanging, setChanging] = useState(false);
  const { corridor: key } = useParams({ strict: false }) as { corridor: string };
  const corridors = useQuery(
    read("corridors", "listCorridors", { all: true }, async (options) => await api.corridors.list(options)),
  );
  const found = corridors.data?.find((each) => keyOf(each) === key);
  return (
    <Page
      title={key.replace(/^(\w+)-(\w+)-(\w+)-(\w+)$/, "$1 $2 → $3 $4")}
      badge={found && (found.enabled ? <Badge tone="good">{t.on}</Badge> : <Badge>{t.off}</Badge>)}
      back={{ to: "/corridors", label: t.title }}
      actions={
        found &&
        may("putCorridor") && (
          <Button icon={Pencil} onClick={() => setChanging(true)}>
            {t.change}
          </Button>
        )
      }
    >
      <Loaded query={corridors} lines={8}>
        {() =>
          found === undefined ? (
            <div className="card">
              <Empty title={t.notFound}>
                <Elsewhere />
              </Empty>
            </div>
          ) : (
            <>
              <Facts corridor={found} />
              <Fees corridor={found} />
              <OtherFees corridor={found} />
              <Deliveries corridor={found} />
              {may("listSettingChanges") && <History kind="CORRIDOR" settingKey={key} like={found.minimumAmount} />}
            </>
          )
        }
      </Loaded>
      {isChanging && found && <CorridorDialog corridor={found} onClose={() => setChanging(false)} />}
    </Page>
  );
}

function Facts({ corridor }: { corridor: Corridor }) {
  const t = useTexts(texts);
  const deliveryText = useDeliveryText();
  const { sendCurrency } = corridor;
  return (
    <Section title={t.corridor}>
      <KeyValue
        columns={3}
        facts={[
          { label: t.from, value: `${corridor.originCountry} · ${sendCurrency}` },
          { label: t.to, value: `${corridor.receivingCountry} · ${corridor.receivingCurrency}` },
          { label: t.deliveries, value: deliveryText(corridor.types) },
          { label: t.minimum, value: <Money amount={corridor.minimumAmount} currency={sendCurrency} /> },
          { label: t.maximum, value: <Money amount={corridor.maximumAmount} currency={sendCurrency} /> },
          { label: t.version, value: <Figure value={corridor.version} /> },
        ]}
      />
    </Section>
  );
}

function OtherFees({ corridor }: { corridor: Corridor }) {
  const t = useTexts(texts);
  const deliveryText = useDeliveryText();
  if (corridor.otherFees.length === 0) return null;
  return (
    <Section title={t.otherFees} flush>
      <Rows
        label={t.otherFees}
        rows={corridor.otherFees}
        rowKey={(row) => row.name}
        empty={t.noFees}
        columns={[
          { header: t.feeName, cell: (row) => row.name },
          {
            header: t.otherFeeAmount,
            isNumber: true,
            cell: (row) => <Money amount={row.amount} currency={corridor.receivingCurrency} />,
          },
          { header: t.onlyFor, cell: (row) => deliveryText(row.types) || t.allDeliveries },
        ]}
      />
    </Section>
  );
}

function Deliveries({ corridor }: { corridor: Corridor }) {
  const t = useTexts(texts);
  const deliveryText = useDeliveryText();
  return (
    <Section title={t.deliveries} flush>
      <Rows
        label={t.deliveries}
        rows={corridor.deliveries}
        rowKey={(row) => row.type}
        empty={t.noDeliveries}
        columns={[
          { header: t.deliveries, cell: (row) => deliveryText([row.type]) },
          { header: t.partner, cell: (row) => row.partner },
          { header: t.minutes, isNumber: true, cell: (row) => <Figure value={row.estimateMinutes} /> },
          { header: t.deliveryDays, isNumber: true, cell: (row) => <Figure value={row.deliveryDays} /> },
          {
            header: t.minimum,
            isNumber: true,
            cell: (row) => <Money amount={row.minimumAmount} currency={corridor.sendCurrency} />,
          },
          {
            header: t.maximum,
            isNumber: true,
            cell: (row) => <Money amount={row.maximumAmount} currency={corridor.sendCurrency} />,
          },
          { header: t.payeeCheck, cell: (row) => t[(row.payeeCheck ?? "payeeCheckOff") as "BOTH"] ?? row.payeeCheck },
        ]}
      />
    </Section>
  );
}
