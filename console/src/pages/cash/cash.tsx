import { ArrowLeftRight } from "lucide-react";
import { useState } from "react";
import { useTexts } from "../../lib/language";
import { Button } from "../../ui/button";
import { Page, Stack } from "../../ui/page";
import { Person } from "../../ui/person";
import { Tabs } from "../../ui/tabs";
import { BranchAssignments } from "./branch-assignments";
import { BranchDay } from "./branch-day";
import { CashLimits } from "./cash-limits";
import { texts } from "./texts";
import { AllHandOvers } from "./hand-overs";
import { TillList } from "./till";
import { CountDialog } from "./till-dialogs";
import { tillTexts } from "./till-texts";
import type { Till } from "./types";
import { VaultDialog } from "./vault-dialog";

/** A manager's view: every till, the vault, and what cashiers may take. */
export default function CashPage() {
  const t = useTexts(texts);
  const words = useTexts(tillTexts);
  const [isMoving, setMoving] = useState(false);
  return (
    <Page
      title={t.cash}
      about={t.cashAbout}
      actions={
        <Button icon={ArrowLeftRight} onClick={() => setMoving(true)}>
          {t.moveVault}
        </Button>
      }
    >
      <Tabs
        label={t.cash}
        name="show"
        tabs={[
          {
            key: "tills",
            label: t.tills,
            content: (
              <Stack>
                <AllHandOvers />
                <TillList
                  cashier={{ header: t.cashier, cell: (row) => <Person id={row.cashierId} /> }}
                  action={{ header: t.doIt, cell: (row) => row.status === "OPEN" && <CloseForHolder till={row} /> }}
                />
              </Stack>
            ),
          },
          { key: "day", label: words.day, content: <BranchDay /> },
          { key: "branches", label: words.branches, content: <BranchAssignments /> },
          { key: "limits", label: t.limits, content: <CashLimits /> },
        ]}
      />
      {isMoving && <VaultDialog onClose={() => setMoving(false)} />}
    </Page>
  );
}

/** Where its holder is away. */
function CloseForHolder({ till }: { till: Till }) {
  const t = useTexts(texts);
  const [isClosing, setClosing] = useState(false);
  return (
    <>
      <Button onClick={() => setClosing(true)}>{t.close}</Button>
      {isClosing && <CountDialog till={till} isClosing isOthers onClose={() => setClosing(false)} />}
    </>
  );
}
