import { invalidInput } from "../../../kernel/refusal.js";
import { hasHiddenCharacters } from "../../../kernel/text/visible-text.js";
import type { ContentType } from "./document.js";

const maxName = 200;

/** What a file of each kind is called; the first is added where another one stands. */
const extensions: Readonly<Record<ContentType, readonly string[]>> = {
  "application/pdf": ["pdf"],
  "image/jpeg": ["jpg", "jpeg", "jpe", "jfif"],
  "image/png": ["png"],
};

/** What a machine runs, or opens as a page with scripts, when it is clicked. */
const active = new Set(
  (
    "html htm xhtml xht shtml mhtml mht svg svgz xml xsl xslt js mjs cjs jse vbs vbe wsf wsh hta " +
    "exe com scr pif msi msp bat cmd ps1 psm1 sh bash command app dmg pkg deb rpm jar jnlp apk " +
    "lnk url desktop reg inf cpl dll sys chm swf docm dotm xlsm xltm xlam pptm potm ppam iso img vhd"
  ).split(" "),
);

// A server or viewer may go by any part of a name; other words in its middle
// (gtbank.com, my.app) are honest ones.
const pages = new Set("html htm xhtml xht shtml mhtml mht svg svgz js hta".split(" "));

/**
 * As browsers and disks name a file: what a browser sends may be a whole path, or try to be one.
 * Refuses INVALID_INPUT naming `path`.
 */
export function fileNameFromWire(given: string, path: string): string {
  const base =
    given
      .split(/[\\/]/)
      .at(-1)
      ?.replace(/[.\s]+$/, "")
      .trim() ?? "";
  if (base === "" || base.length > maxName) throw invalidInput(path, `must have 1 to ${maxName} characters`);
  if (hasHiddenCharacters(base)) throw invalidInput(path, "must not hold invisible or direction-changing characters");
  const extension = base
    .split(".")
    .slice(1)
    .map((part) => part.trim().toLowerCase())
    .find((part, index, parts) => (index === parts.length - 1 ? active : pages).has(part));
  if (extension !== undefined)
    throw invalidInput(path, `must not be that of a .${extension}, which opens as more than a document`);
  return base;
}

/** The name with the extension that its content has: whoever opens it opens what it is. */
export function fileNameOf(name: string, contentType: ContentType): string {
  const plain = name.replaceAll(/[<>:"|?*]/g, "_");
  const known = extensions[contentType];
  const [, stem = plain, extension = ""] = /^(.+)\.([^.]*)$/.exec(plain) ?? [];
  if (known.includes(extension.toLowerCase())) return plain;
  // Another extension of a document goes; a full stop within a name stays.
  const bare = isExtension.test(extension) ? stem : plain;
  return `${bare.slice(0, maxName - 5)}.${known[0]}`;
}

const isExtension = /^[A-Za-z0-9]{1,5}$/;
