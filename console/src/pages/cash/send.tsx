import { useState } from "react";
import { useTexts } from "../../lib/language";
import { Button } from "../../ui/button";
import { Page, Stack } from "../../ui/page";
import { PayStep } from "./pay-step";
import { QuoteStep, type Priced } from "./quote-step";
import { RecipientStep } from "./recipient-step";
import { SenderStep } from "./sender-step";
import { texts } from "./texts";
import type { Created, Sender } from "./types";

/** Sends money for a customer who stands at the desk: who, how much, to whom, and the payment. */
export default function SendPage() {
  const t = useTexts(texts);
  const [sender, setSender] = useState<Sender>();
  const [priced, setPriced] = useState<Priced>();
  const [created, setCreated] = useState<Created>();
  const again = () => {
    setSender(undefined);
    setPriced(undefined);
    setCreated(undefined);
  };
  return (
    <Page title={t.send} about={t.sendAbout} actions={sender && <Button onClick={again}>{t.beginAnew}</Button>}>
      <div className="max-w-3xl">
        <Stack>
          <SenderStep sender={sender} onFound={setSender} />
          {sender && !created && (
            <QuoteStep key={sender.customerId} sender={sender} priced={priced} onPriced={setPriced} />
          )}
          {sender && priced && !created && (
            <RecipientStep key={priced.quote.id} sender={sender} priced={priced} onCreated={setCreated} />
          )}
          {created && <PayStep created={created} />}
        </Stack>
      </div>
    </Page>
  );
}
