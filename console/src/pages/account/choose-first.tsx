import { useTexts } from "../../lib/language";
import { queryClient } from "../../lib/queries";
import { session } from "../../lib/session";
import { Page } from "../../ui/page";
import { Password } from "./password";
import { texts } from "./texts";

/** All that is shown until the password is one's own. */
export default function ChooseFirst() {
  const t = useTexts(texts);
  return (
    <Page title={t.chooseTitle} about={t.chooseHint}>
      <Password onChanged={() => void begin()} />
    </Page>
  );
}

/** The token before is good for choosing a password alone. */
async function begin(): Promise<void> {
  await session.accessToken(await session.accessToken());
  await queryClient.resetQueries();
}
