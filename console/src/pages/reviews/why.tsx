import { Badge } from "../../ui/badge";
import { Link } from "../../ui/link";
import { inWords } from "../../ui/words";
import { useWord } from "../compliance/codes";
import type { Review } from "./types";

/** The reason, and what exactly has to be looked at for it. */
export function Why({ review }: { review: Review }) {
  const word = useWord();
  return (
    <div className="flex flex-col gap-0.5">
      <span>
        <Badge tone={review.reason === "SCREENING_HIT" ? "bad" : "warn"}>{word(review.reason)}</Badge>
      </span>
      <ul className="text-xs text-muted">
        {review.hits.map((hit) => (
          <li key={hit.hitId}>
            <Link to={`/screenings/${hit.screeningId}`} className="link">
              <bdi>{hit.matchedName}</bdi>
            </Link>{" "}
            {word(hit.source)} · {hit.score} ‰ · {word(hit.state)}
          </li>
        ))}
        {review.matchedRules.map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
        {review.outstandingRequirements.map((name) => (
          <li key={name}>{inWords(name)}</li>
        ))}
      </ul>
    </div>
  );
}
