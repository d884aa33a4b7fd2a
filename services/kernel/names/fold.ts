// Spellings of one sound in Latin letters: the longer ones first.
const sounds: readonly (readonly [RegExp, string])[] = [
  [/tsch|tch|shch/g, "c"],
  [/sch|sh/g, "s"],
  [/ch/g, "c"],
  [/zh|dzh/g, "z"],
  [/kh|ck|q/g, "k"],
  [/gh/g, "g"],
  [/ph/g, "f"],
  [/th/g, "t"],
  [/dh/g, "d"],
  [/dj/g, "j"],
  [/x/g, "ks"],
  [/w/g, "v"],
  [/(?<=[aeiouy])h/g, ""],
  [/[ou]+/g, "u"],
  [/ae|[ei][eiyj]*|y[yij]*|(?<=[aiu])j$/g, "i"],
  [/a[iy]/g, "i"],
  [/(.)\1+/g, "$1"],
];

/** One spelling for those that sound alike whatever alphabet or clerk they went through. */
export function foldSpelling(latin: string): string {
  let folded = latin;
  for (const [spelling, sound] of sounds) folded = folded.replace(spelling, sound);
  return folded;
}

/** The consonants: what is left of a word in a script that writes no vowels. */
export function consonantsOf(folded: string): string {
  const consonants = folded.replaceAll(/[aeiouyv]/g, "").replace(/h$/, "");
  return consonants.replaceAll(/(.)\1+/g, "$1") || folded;
}
