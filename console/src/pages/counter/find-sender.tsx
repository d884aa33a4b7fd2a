import { UserPlus } from "lucide-react";
import { useTexts } from "../../lib/language";
import { Button } from "../../ui/button";
import { Section } from "../../ui/panels";
import { FindCustomer } from "./find-customer";
import { texts } from "./texts";
import type { Sender } from "./types";

/** Who sends, who may have to be registered first. */
export function FindSender({ onChoose, onRegister }: { onChoose: (sender: Sender) => void; onRegister: () => void }) {
  const t = useTexts(texts);
  return (
    <Section title={t.whoSends}>
      <FindCustomer
        onChoose={onChoose}
        otherwise={
          <Button icon={UserPlus} onClick={onRegister}>
            {t.register}
          </Button>
        }
      />
    </Section>
  );
}
