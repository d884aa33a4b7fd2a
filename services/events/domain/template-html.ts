import { Tokenizer, TokenizerMode, type Token } from "parse5";
import type { Faults } from "../../kernel/text/faults.js";
import { kinds, type Kind } from "../../platform/messages/kinds.js";
import { placeholder } from "../../platform/messages/template.js";
import { leadsHome, showsAddress, strangeAddresses, type Hosts } from "./hosts.js";

const everywhere = ["align", "dir", "lang", "style", "title"];
const ofCells = ["bgcolor", "colspan", "height", "rowspan", "valign", "width"];
/** What mails are laid out with: nothing in it acts, is fetched or asks for something. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    "b big blockquote br caption center code dd div dl dt em h1 h2 h3 h4 h5 h6 hr i li ol p pre s small span strong sub sup tbody tfoot thead u ul"
      .split(" ")
      .map((name) => [name, []]),
  ),
  a: ["href", "rel", "target"],
  font: ["color", "face", "size"],
  table: ["bgcolor", "border", "cellpadding", "cellspacing", "role", "width"],
  tr: ["bgcolor", "height", "valign"],
  td: ofCells,
  th: ofCells,
};

const link = /^\{\{ *link *\}\}$/;
// What stands in the others is shown on its own: what ends one does not go on in the next.
const runsOn: ReadonlySet<string> = new Set("a b big code em font i s small span strong sub sup u".split(" "));
// Colours are the only functions: others fetch what they name.
const plainStyle = /^(?:[^(\\@/<]|\b(?:rgba?|hsla?)\()*$/i;

/**
 * Adds what of the HTML is not among the few elements, attributes and
 * addresses that words may have.
 */
export function checkHtml(faults: Faults, kind: Kind, html: string, hosts: Hosts): void {
  const found = new Set<string>();
  let shown = "";
  const keep = ({ chars }: Token.CharacterToken) => {
    shown += chars;
  };
  const part = (tagName: string) => {
    if (!kinds[kind].isSecurity && !runsOn.has(tagName)) shown += " ";
  };
  const tokenizer = new Tokenizer(
    {},
    {
      onStartTag({ tagName, attrs }) {
        part(tagName);
        faultsOfTag(kind, tagName, attrs, hosts).forEach((fault) => found.add(fault));
      },
      onEndTag: ({ tagName }) => part(tagName),
      // Some mail programs act on what stands in them.
      onComment: () => found.add("must not have comments"),
      onDoctype: () => found.add("must not have a document type: it is a part of a page"),
      onCharacter: keep,
      onNullCharacter: keep,
      onWhitespaceCharacter: keep,
      onEof: () => {},
      onParseError: ({ code }) => {
        if (code === "eof-in-tag") found.add("has a tag that does not end");
      },
    },
  );
  tokenizer.state = TokenizerMode.DATA;
  tokenizer.write(html, true);
  for (const fault of found) faults.add("html", fault);
  checkShown(faults, kind, "html", shown, hosts);
}

function faultsOfTag(kind: Kind, name: string, attributes: readonly Token.Attribute[], hosts: Hosts): string[] {
  if (!Object.hasOwn(allowed, name)) return [`must not have <${name.slice(0, 20)}>`];
  return attributes.flatMap((attribute) => {
    const place = `${attribute.name.slice(0, 20)} of <${name}>`;
    if (!everywhere.includes(attribute.name) && !allowed[name]!.includes(attribute.name)) {
      return [`must not have ${place}`];
    }
    if (attribute.name === "style" && !plainStyle.test(attribute.value)) {
      return [`must not have functions, addresses or escapes in ${place}`];
    }
    return attribute.name === "href" ? faultsOfHref(kind, attribute.value, hosts) : [];
  });
}

function faultsOfHref(kind: Kind, href: string, hosts: Hosts): string[] {
  if (link.test(href)) return [];
  if (kinds[kind].isSecurity) return ["must have no href but {{link}}: it carries what signs people in"];
  return leadsHome(href, hosts) ? [] : [`must not have an href to ${cut(href)}: ${whereTo(hosts)}`];
}

/**
 * Adds addresses that readers could be led to: any in a message about
 * credentials, others' in the rest.
 */
export function checkShown(
  faults: Faults,
  kind: Kind,
  member: "subject" | "text" | "html",
  shown: string,
  hosts: Hosts,
): void {
  // Two letters: what is put in may be the end of a host's name.
  const words = shown.replaceAll(placeholder, "xx");
  if (!kinds[kind].isSecurity) {
    const [first] = strangeAddresses(words, hosts);
    if (first !== undefined) faults.add(member, `must not show ${cut(first)}: ${whereTo(hosts)} (${space})`);
  } else if (showsAddress(words)) {
    faults.add(
      member,
      `must not have an address of the web or a mail address of its own: it carries what signs people in (${space})`,
    );
  }
}

const space = "a full stop needs a space after it";
const cut = (address: string) => (address.length <= 60 ? address : `${address.slice(0, 59)}…`);
const whereTo = (hosts: Hosts) =>
  hosts.size === 0
    ? "the organisation has no host of its own"
    : `messages lead to the organisation's own hosts alone, ${[...hosts].slice(0, 5).join(", ")}`;
