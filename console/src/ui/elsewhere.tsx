import { isSandbox, openOther } from "../lib/environment";
import { useTexts } from "../lib/language";
import { Button } from "./button";
import { uiTexts } from "./texts";

/**
 * Where nothing is found: an address does not say whether it was shared
 * from live or from the sandbox.
 */
export function Elsewhere() {
  const t = useTexts(uiTexts);
  return (
    <div className="mt-2 flex flex-wrap items-center gap-2">
      <span>{isSandbox ? t.maybeLive : t.maybeSandbox}</span>
      <Button onClick={openOther}>{isSandbox ? t.lookInLive : t.lookInSandbox}</Button>
    </div>
  );
}
