import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { otherShapes, personalShapes, type PersonalShape } from "./personal-fields.js";

const text = readFileSync("docs/security.md", "utf8");
const states: Readonly<Record<string, string>> = { Met: "met", Open: "open", "Not applicable": "n.a." };
const rows = Object.entries(states).flatMap(([heading, state]) => {
  const [section = ""] = text.split(`\n### ${heading}\n`)[1]?.split(/^#/m) ?? [];
  return [...section.matchAll(/^- ([\d., ]+) L(\d): (.+)$/gm)].flatMap(([, ids, level, how]) =>
    ids!.split(", ").map((id) => ({ id, chapter: Number.parseInt(id, 10), level: Number(level), state, how: how! })),
  );
});

// How many requirements of levels 1 and 2 each chapter of ASVS 5.0.0 has.
const ofChapter = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7];

test("every requirement of levels 1 and 2 has one row", () => {
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  const counted = ofChapter.map((_, index) => rows.filter(({ chapter }) => chapter === index + 1).length);
  expect(counted).toEqual(ofChapter);
  expect(rows.filter(({ level }) => level !== 1 && level !== 2)).toEqual([]);
});

test("each state has as many rows as the page says, and a row says how", () => {
  const count = (state: string) => rows.filter((row) => row.state === state).length;
  expect(text).toContain(`\n${count("met")} met, ${count("n.a.")} not applicable, ${count("open")} open;`);
  expect(rows.filter(({ how }) => how.length < 5)).toEqual([]);
});

test("the files and tests that rows name exist", () => {
  const named = rows.flatMap(({ id, how }) =>
    [...how.matchAll(/`([\w.-]+(?:\/[\w.-]+)+)`/g)].map(([, file]) => `${id} ${file}`),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((one) => !existsSync(one.split(" ")[1]!))).toEqual([]);
});

test("what is met names a file or a test that shows it", () => {
  expect(rows.filter(({ state, how }) => state === "met" && !/`[\w.-]+(?:\/[\w.-]+)+`/.test(how))).toEqual([]);
});

/**
 * What a row may say there is not: how code, or the name of a dependency, would show that there is.
 */
interface Absence {
  code: RegExp;
  dependency?: RegExp;
  /** Files that have it and are no sign of it. */
  apart?: readonly string[];
}

const absences: Readonly<Record<string, Absence>> = {
  "No service starts a program or a shell": { code: /child_process/, dependency: /^(?:execa|cross-spawn|shelljs)$/ },
  "There is no LDAP": { code: /\bldaps?\b/i, dependency: /ldap/ },
  "There is no XPath": { code: /\bxpath\b/i, dependency: /xpath|xmldom/ },
  "There is no LaTeX": { code: /\blatex\b/i, dependency: /latex/ },
  "No regular expression is built from what a caller sends": {
    code: /\bRegExp\(/,
    // Each is built of constants of its own module, or of the types of plugins.
    apart: [
      "services/identity/domain/plugins.ts",
      "services/kernel/names/company-forms.ts",
      "services/platform/messages/sms-request.ts",
      "services/kernel/pdf/fonts.ts",
      "services/kernel/people/person-names.ts",
      "services/kernel/text/reason.ts",
      "services/platform/sandbox/sandbox.ts",
      "services/kernel/text/visible-text.ts",
      "services/kernel/text/word-scripts.ts",
    ],
  },
  "There is no JNDI": { code: /\bjndi\b/i },
  "There is no memcache": { code: /\bmemcached?\b/i, dependency: /memcache/ },
  "There are no format strings": {
    code: /\bsprintf\b|\butil\.format\b|import \{[^}]*\bformat\b[^}]*\} from "node:util"/,
  },
  "No page takes messages from another window": {
    code: /\b(?:window|self|parent|opener|top)\.(?:postMessage|onmessage)|\bwindow\.addEventListener\("message"/,
  },
  "Nothing redirects to another host": { code: /\.redirect\(/ },
  "There is no GraphQL": { code: /\bgraphql\b/i, dependency: /graphql/ },
  "There are no web sockets": { code: /\bWebSocket\b/, dependency: /^(?:ws|socket\.io.*|.*websocket.*)$/ },
  "There are no password hints and no secret questions": {
    code: /\bpassword_hint|\bsecret_?question|\bsecurity_?question/i,
  },
  "There is one identity provider, ours": { code: /\bsaml|\bopenid|\boidc/i, dependency: /saml|openid|oidc|passport/ },
  "There is no SAML": { code: /\bsaml/i, dependency: /saml/ },
  "There is no separate identity provider": { code: /\bopenid|\boidc/i, dependency: /openid|oidc|passport/ },
  "There is no federation": { code: /\bsaml|\bopenid|\boidc/i, dependency: /saml|openid|oidc|passport/ },
  "There is no OAuth": { code: /\boauth/i, dependency: /oauth/ },
  "There is no OpenID Connect": { code: /\bopenid|\boidc/i, dependency: /openid|oidc/ },
  // A script of Redis is text of its module's own.
  "No eval, no Function": { code: /(?<!redis|pipeline)\.eval\(|(?<![.\w])eval\(|\bnew Function\(/ },
  "no script is built from data": {
    code: /(?<![.\w])eval\(|\bnew Function\(|"node:vm"/,
    dependency: /^(?:vm2|isolated-vm)$/,
  },
  "Nothing keeps a password from being pasted": { code: /\bonPaste\b|addEventListener\("paste"/ },
  "There are no look-up secrets": { code: /\b(?:backup|recovery|scratch|lookup)_?(?:code|secret)s?\b/i },
  "No key is derived from a password": {
    code: /\bscrypt|\bpbkdf2/,
    apart: ["services/kernel/text/spoken-code.ts"],
  },
  "There is no WebRTC": { code: /\bwebrtc\b|RTCPeerConnection/i, dependency: /webrtc/ },
};

const clausesOf = (how: string) => how.split(/[;.] /);
/** What a row says that there is not, wherever it begins to say it. */
const absentIn = (how: string) =>
  clausesOf(how).filter((one) => /^(?:there (?:is|are) (?:no|none)|no|none|nothing)\b/i.test(one));
const isKnown = (clause: string) =>
  Object.keys(absences).some((words) => clause.startsWith(words)) ||
  notOfCode.some((words) => clause.startsWith(words));

/**
 * What no code has by its being there: how it behaves is held by the tests that their rows name.
 */
const notOfCode = [
  "Nothing is answered before its commit is known",
  "No other GET changes anything that a person owns",
  "No set of breached passwords is asked",
  "None is made by the system",
  "no inventory beyond it is kept",
  "nothing in CI holds it",
];

const sources = ["services", "gateway", "console/src", "sdk/src"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith(".test.ts"))
    .map((name) => join(folder, name)),
);
const { dependencies, devDependencies } = JSON.parse(readFileSync("package.json", "utf8"));

test("what a row says there is not is said in words that are looked for", () => {
  const unknown = rows.filter(
    ({ state, how }) => state === "n.a." && !Object.keys(absences).some((words) => how.startsWith(words)),
  );
  expect(unknown).toEqual([]);
  expect(
    rows.flatMap(({ id, how }) =>
      absentIn(how)
        .filter((one) => !isKnown(one))
        .map((one) => `${id} ${one}`),
    ),
  ).toEqual([]);
  const unused = Object.keys(absences).filter(
    (words) => !rows.some(({ how }) => clausesOf(how).some((one) => one.startsWith(words))),
  );
  expect(unused).toEqual([]);
});

test.each([
  ["There is no XML", true],
  ["JSON alone; there is no XML: `services/kernel/json.ts`", true],
  ["JSON alone. No XML is read", true],
  ["No service starts a program or a shell", false],
])("a row that says %s", (how, isFound) => {
  expect(absentIn(how).some((one) => !isKnown(one))).toBe(isFound);
});

test("what a row says there is not is nowhere in the code or among the dependencies", () => {
  expect(sources.length).toBeGreaterThan(1_000);
  // The console's own libraries are bundled of what is there for development.
  const names = Object.keys({ ...dependencies, ...devDependencies });
  const found = new Map<string, string[]>();
  for (const file of sources) {
    const code = readFileSync(file, "utf8");
    for (const [words, absence] of Object.entries(absences)) {
      if (absence.code.test(code) && absence.apart?.includes(file) !== true) {
        found.set(words, [...(found.get(words) ?? []), file]);
      }
    }
  }
  for (const [words, { dependency }] of Object.entries(absences)) {
    const there = names.filter((name) => dependency?.test(name));
    if (there.length > 0) found.set(words, [...(found.get(words) ?? []), ...there]);
  }
  expect(Object.fromEntries(found)).toEqual({});
});

test("files that are named as no sign of what is not there still have it", () => {
  const stale = Object.values(absences).flatMap(({ code, apart = [] }) =>
    apart.filter((file) => !existsSync(file) || !code.test(readFileSync(file, "utf8"))),
  );
  expect(stale).toEqual([]);
});

interface Field {
  name: string;
  type: string;
}

/** Interfaces and object types of a source, with the fields of each. */
function shapesOf(source: string): Map<string, Field[]> {
  const blocks = source.matchAll(/^(?:export )?(?:interface|type) (\w+).*\n((?:[ }].*\n)*)/gm);
  const fieldsOf = (body: string) =>
    [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??: (.*?);?$/gm)].map(([, name, type]) => ({
      name: name!,
      type: type!,
    }));
  return new Map([...blocks].map(([, shape, body]) => [shape!, fieldsOf(body!)]));
}

const withoutComments = (source: string) => source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");

const isWithoutText = ({ name, type }: Field) =>
  /^(?:Date|bigint|number|boolean|true|Money)(?:\[\])?$/.test(type) ||
  /^"[A-Z_]+"(?: \| "[A-Z_]+")*$/.test(type) ||
  /(?:^_?id|Ids?|By|[cC]urrency|[cC]ountry)$/.test(name);

/** Fields that neither erasure nor a reason names. */
function unnamed({ storedAs = {}, stays }: PersonalShape, fields: readonly Field[], erasure: string): string[] {
  const reasons = Object.values(stays).flat();
  const isTakenOut = (name: string) => new RegExp(`\\b${storedAs[name] ?? name}\\b`).test(withoutComments(erasure));
  return fields
    .filter((field) => !isWithoutText(field) && !reasons.includes(field.name) && !isTakenOut(field.name))
    .map(({ name }) => name);
}

test("erasure takes out each text that is kept of a person, or a reason says why it stays", () => {
  const found = personalShapes.map((one) => {
    const fields = shapesOf(readFileSync(one.file, "utf8")).get(one.shape) ?? [];
    const known = new Set(fields.map(({ name }) => name));
    return {
      shape: one.shape,
      hasFields: fields.length > 0,
      unnamed: unnamed(one, fields, readFileSync(one.erasedIn, "utf8")),
      reasonsOfNothing: Object.values(one.stays)
        .flat()
        .filter((name) => !known.has(name)),
    };
  });
  expect(found).toEqual(
    personalShapes.map(({ shape }) => ({ shape, hasFields: true, unnamed: [], reasonsOfNothing: [] })),
  );
});

test("a text that is added to what is kept of a person is missed", () => {
  const beneficiary = personalShapes.find(({ shape }) => shape === "Beneficiary")!;
  const source = readFileSync(beneficiary.file, "utf8");
  const added = source.replace("  relationship: string;", "  relationship: string;\n  nickname?: string;");
  const erasure = readFileSync(beneficiary.erasedIn, "utf8");
  expect(unnamed(beneficiary, shapesOf(added).get("Beneficiary")!, erasure)).toEqual(["nickname"]);
});

const personal =
  /^(?:(?:first|last|middle|maiden|full|customer|sender|recipient|payee|payer|holder|accountHolder|file|matched)Name|filename|notes?)$|email|phone|birth|nationality|address|accountNumber|narration|creditParty$|identityDocuments/i;

test("a shape of a service with a name, a contact or an account of a person stands in a list", () => {
  const files = readdirSync("services", { recursive: true, encoding: "utf8" })
    .map((file) => `services/${file}`)
    .filter((file) => /^services\/(?!kernel|platform|ledger).*\/(?:domain|store)\/[^/]+(?<!\.test)\.ts$/.test(file));
  const named = files.flatMap((file) =>
    [...shapesOf(readFileSync(file, "utf8"))]
      .filter(([, fields]) => fields.some((field) => personal.test(field.name) && !isWithoutText(field)))
      .map(([shape]) => `${file} ${shape}`),
  );
  const listed = new Set(personalShapes.map(({ file, shape }) => `${file} ${shape}`));
  expect(named.filter((one) => !listed.has(one)).toSorted()).toEqual(Object.keys(otherShapes).toSorted());
});
