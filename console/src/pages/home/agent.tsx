import { Columns, Stack } from "../../ui/page";
import { Latest } from "./latest";
import { Shortcuts } from "./shortcuts";
import { Today } from "./today";

/** What an agent's customers send. */
export function AgentHome() {
  return (
    <Columns>
      <Stack>
        <Latest />
        <Today />
      </Stack>
      <Shortcuts />
    </Columns>
  );
}
