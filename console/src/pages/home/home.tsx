import { useOrganisation } from "../../lib/organisation";
import { useUser } from "../../lib/use-session";
import { Page } from "../../ui/page";
import { AgentHome } from "./agent";
import { CashierHome } from "./cashier";
import { ManagerHome } from "./manager";

/** What waits for whoever sits here. */
export default function Home() {
  const { name } = useOrganisation();
  const { role } = useUser();
  return (
    <Page title={name || "Manilla"}>
      {role === "MANAGER" && <ManagerHome />}
      {role === "AGENT" && <AgentHome />}
      {role === "CASHIER" && <CashierHome />}
    </Page>
  );
}
