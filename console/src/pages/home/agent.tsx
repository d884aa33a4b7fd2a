import { Columns, Stack } from "../../ui/page";
import { OwnAgency } from "../agents/own-agency";
import { Latest } from "./latest";
import { Shortcuts } from "./shortcuts";
import { Today } from "./today";

/** What an agent's customers send. */
export function AgentHome() {
  return (
    <Columns>
      <Stack>
        <OwnAgency />
        <Latest />
        <Today />
      </Stack>
      <Shortcuts />
    </Columns>
  );
}
