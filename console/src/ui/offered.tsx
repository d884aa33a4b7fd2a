import { Button } from "./button";
import { Money, Time } from "./figures";
import { ErrorPanel } from "./panels";
import { Person } from "./person";
import type { Action } from "./use-action";

interface Props {
  amount: string;
  currency: string;
  at: string;
  /** The other one of the two. */
  who: string;
  /** Of them, where it is known. */
  name: string | undefined;
  isMine: boolean;
  accept: Action<void, unknown>;
  end: Action<void, unknown>;
  words: Readonly<Record<"youOffer" | "offeredToYou" | "accept" | "decline" | "takeBack", string>>;
}

/** Money that is set aside for somebody, who takes it or not. */
export function Offered({ amount, currency, at, who, name, isMine, accept, end, words }: Props) {
  return (
    <div className="flex flex-wrap items-center gap-2 rounded-md border border-line px-3 py-2">
      <p className="min-w-0 flex-1">
        <strong>
          <Money amount={amount} currency={currency} />
        </strong>{" "}
        {isMine ? words.youOffer : words.offeredToYou}{" "}
        {name === undefined ? <Person id={who} /> : <span title={who}>{name}</span>} · <Time at={at} />
      </p>
      {!isMine && (
        <Button variant="primary" busy={accept.isRunning} onClick={() => void accept.run()}>
          {words.accept}
        </Button>
      )}
      <Button busy={end.isRunning} onClick={() => void end.run()}>
        {isMine ? words.takeBack : words.decline}
      </Button>
      <ErrorPanel error={accept.error ?? end.error} />
    </div>
  );
}
