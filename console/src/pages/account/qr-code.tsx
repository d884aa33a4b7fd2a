import { encode } from "uqr";

/**
 * Drawn here: the secret in it is sent to nobody. Dark on white in either
 * appearance, as cameras expect it.
 */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: "M", border: 2 });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join("");
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} className="mx-auto size-52 rounded-md bg-white">
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
