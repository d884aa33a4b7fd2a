import { deliveryStatuses } from "../../generated/enums";
import { useTexts } from "../../lib/language";
import { StatusBadge } from "../../ui/badge";
import { texts } from "./texts";

export function DeliveryStatus({ status }: { status: string }) {
  const t = useTexts(texts);
  const known = deliveryStatuses.find((one) => one === status);
  return (
    <StatusBadge status={status} label={known && t[known]} {...(status === "GIVEN_UP" && { tone: "bad" as const })} />
  );
}
