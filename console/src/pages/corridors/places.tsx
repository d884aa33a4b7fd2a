import { useTexts } from "../../lib/language";
import { Page } from "../../ui/page";
import { Tabs } from "../../ui/tabs";
import { Branches } from "./branches";
import { PayoutPoints } from "./payout-points";
import { placeTexts } from "./place-texts";

/** Where recipients are paid. */
export default function Places() {
  const t = useTexts(placeTexts);
  return (
    <Page title={t.title} about={t.about}>
      <Tabs
        label={t.title}
        name="show"
        tabs={[
          { key: "points", label: t.points, content: <PayoutPoints /> },
          { key: "branches", label: t.branches, content: <Branches /> },
        ]}
      />
    </Page>
  );
}
