import { useQuery } from "@tanstack/react-query";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { Money, Time } from "../../ui/figures";
import { Link } from "../../ui/link";
import { Columns, Stack } from "../../ui/page";
import { Empty, Loaded, Section } from "../../ui/panels";
import { Table } from "../../ui/table";
import { Latest } from "./latest";
import { Shortcuts } from "./shortcuts";
import { texts } from "./texts";

/** The own tills, and what to do at the desk. */
export function CashierHome() {
  return (
    <Columns>
      <Stack>
        <Tills />
        <Latest />
      </Stack>
      <Shortcuts />
    </Columns>
  );
}

function Tills() {
  const t = useTexts(texts);
  const tills = useQuery(
    read("wallets", "listTills", { open: "true" }, (options) =>
      api.cash.listTills({ open: "true" }, options).toArray({ max: 50 }),
    ),
  );
  return (
    <Section title={t.tills} flush>
      <Loaded query={tills}>
        {(found) =>
          found.length === 0 ? (
            <Empty title={t.noTill}>
              <p className="mb-1">{t.noTillHint}</p>
              <Link to="/till" className="link">
                {t.openTill}
              </Link>
            </Empty>
          ) : (
            <Table
              label={t.tills}
              rows={found}
              rowKey={({ tillId }) => tillId}
              columns={[
                {
                  header: t.till,
                  cell: ({ currency }) => (
                    <Link to="/till" className="link font-medium">
                      {currency}
                    </Link>
                  ),
                },
                {
                  header: t.inTill,
                  isNumber: true,
                  cell: (row) => <Money amount={row.expected} currency={row.currency} />,
                },
                {
                  header: t.float,
                  isNumber: true,
                  cell: (row) => <Money amount={row.float} currency={row.currency} />,
                },
                { header: t.opened, cell: ({ openedAt }) => <Time at={openedAt} /> },
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  );
}
