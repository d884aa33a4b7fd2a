// Mandarin's syllables in pinyin, by what they begin with.
const pinyin: readonly string[] = [
  "a ai an ang ao e ei en er ou",
  "ba bai ban bang bao bei ben beng bi bian biao bie bin bing bo bu",
  "pa pai pan pang pao pei pen peng pi pian piao pie pin ping po pu",
  "ma mai man mang mao mei men meng mi mian miao mie min ming mo mou mu",
  "fa fan fang fei fen feng fo fou fu",
  "da dai dan dang dao de deng di dian diao die ding dong dou du duan dui dun duo",
  "ta tai tan tang tao te teng ti tian tiao tie ting tong tou tu tuan tui tun tuo",
  "na nai nan nang nao nei nen neng ni nian niang niao nie nin ning niu nong nu nuan nuo",
  "la lai lan lang lao le lei leng li lian liang liao lie lin ling liu long lou lu luan lun luo",
  "ga gai gan gang gao ge gen geng gong gou gu gua guai guan guang gui gun guo",
  "ka kai kan kang kao ke ken keng kong kou ku kua kuai kuan kuang kui kun kuo",
  "ha hai han hang hao he hei hen heng hong hou hu hua huai huan huang hui hun huo",
  "ji jia jian jiang jiao jie jin jing jiong jiu ju juan jue jun",
  "qi qia qian qiang qiao qie qin qing qiong qiu qu quan que qun",
  "xi xia xian xiang xiao xie xin xing xiong xiu xu xuan xue xun",
  "zha zhai zhan zhang zhao zhe zhen zheng zhi zhong zhou zhu zhuan zhuang zhui zhun zhuo",
  "cha chai chan chang chao che chen cheng chi chong chou chu chuan chuang chui chun chuo",
  "sha shai shan shang shao she shen sheng shi shou shu shua shuai shuan shuang shui shun shuo",
  "ran rang rao ren reng ri rong rou ru ruan rui run ruo",
  "za zai zan zang zao ze zen zeng zi zong zou zu zuan zui zun zuo",
  "ca cai can cang cao ce cen ceng ci cong cou cu cuan cui cun cuo",
  "sa sai san sang sao se sen seng si song sou su suan sui sun suo",
  "wa wai wan wang wei wen weng wo wu ya yan yang yao ye yi yin ying yong you yu yuan yue yun",
];

// What Hong Kong's offices write of Cantonese in given names, and the pinyin of
// the characters that are so read.
const cantonese: readonly string[] = [
  "chak ze|cheong chang xiang|cheuk zhuo|cheung xiang chang|ching zheng qing jing|chiu chao zhao|choi cai|chuen quan chuan",
  "chun jun zhen|chung zhong cong|fai hui|fong fang|fuk fu|fung feng|hei xi|heung xiang|hin xian|hing xing qing|hoi hai kai",
  "hok he xue|hon han|hung hong xiong|ka jia|kai jie qi|kam jin|kan gen jin|kau qiu jiu|kei ji qi|keung qiang|ki qi ji|kin jian",
  "king jing qiong|kit jie|kong jiang guang|kuen quan|kwan jun kun|kwok guo|kwong guang|lai li|lap li|lik li|lok le|lung long|mui mei",
  "ngai yi wei|oi ai|pak bo bai|pik bi|ping bing|po bao bo|pui pei|sau shou xiu|sen xian|shek shi|shing cheng sheng|shuk shu|sik shi xi",
  "sing sheng cheng xing|siu xiao shao|suet xue|suk shu|sum sen xin|sze shi si|tai da|tak de|tat da|tin tian|tsan can|tsun jun|tsz zi",
  "tung dong tong|wah hua|wai wei hui|wan yun wen|wing yong rong|wo he|yan ren en xin|yat yi ri|yau you|yee yi er|yeung yang|yik yi",
  "yin xian yan|yip ye|yiu yao|yuen yuan|yuk yu|yung rong yong",
];

// Wade-Giles of a beginning and of an end, whose apostrophes and marks nobody writes.
const beginnings: readonly (readonly [string, string])[] = [
  ["zh", "ch"],
  ["ch", "ch"],
  ["sh", "sh"],
  ["b", "p"],
  ["d", "t"],
  ["g", "k"],
  ["j", "ch"],
  ["q", "ch"],
  ["x", "hs"],
  ["z", "ts"],
  ["c", "ts"],
  ["r", "j"],
];
const whole = new Map(
  (
    "zhi chih|chi chih|shi shih|ri jih|zi tzu|ci tzu|si szu|ye yeh|yan yen|yi i|you yu|yong yung|er erh|ge ko|ke ko|he ho|e o|" +
    "duo to|tuo to|nuo no|luo lo|zuo tso|cuo tso|suo so|zhuo cho|chuo cho|ruo jo|gui kuei|kui kuei|jue chueh|que chueh|" +
    "xue hsueh|yue yueh|juan chuan|quan chuan|xuan hsuan"
  )
    .split("|")
    .map((row) => row.split(" ") as [string, string]),
);

/** What each spelling may be in pinyin. */
const readings = new Map<string, Set<string>>();
const known = new Set(pinyin.flatMap((row) => row.split(" ")));
for (const syllable of known) note(wadeGilesOf(syllable), syllable);
for (const row of cantonese.flatMap((each) => each.split("|"))) {
  const [spelling = "", ...syllables] = row.split(" ");
  for (const syllable of syllables) note(spelling, syllable);
}

function note(spelling: string, syllable: string): void {
  readings.set(spelling, (readings.get(spelling) ?? new Set()).add(syllable));
}

function wadeGilesOf(syllable: string): string {
  const written = whole.get(syllable);
  if (written !== undefined) return written;
  const [begins, initial] = beginnings.find(([own]) => syllable.startsWith(own)) ?? ["", ""];
  const end = syllable.slice(begins.length);
  return initial + end.replace(/ong$/, "ung").replace(/^ian$/, "ien").replace(/^ie$/, "ieh");
}

// Of two syllables.
const [shortest, longest] = [4, 13];

/**
 * Whether two words are one Chinese given name of two syllables, one in Wade-Giles or as Hong Kong
 * writes Cantonese, the other in pinyin: "tsetung" and "zedong", "kaishek" and "jieshi".
 */
export function isSameChinese(one: string, other: string): boolean {
  return isReadAs(one, other) || isReadAs(other, one);
}

/** Whether a word may be one syllable of a Chinese name, in any of the spellings. */
export function isChineseSyllable(latin: string): boolean {
  return known.has(latin) || readings.has(latin);
}

/** Whether a word may be two of them. */
export function isTwoChineseSyllables(latin: string): boolean {
  if (latin.length < shortest || latin.length > longest) return false;
  for (let at = 1; at < latin.length; at++) {
    if (isChineseSyllable(latin.slice(0, at)) && isChineseSyllable(latin.slice(at))) return true;
  }
  return false;
}

function isReadAs(spelt: string, syllables: string): boolean {
  if (spelt.length < shortest || spelt.length > longest || syllables.length < shortest) return false;
  for (let at = 1; at < spelt.length; at++) {
    const [first, second] = [readings.get(spelt.slice(0, at)), readings.get(spelt.slice(at))];
    if (first === undefined || second === undefined) continue;
    for (const begins of first) {
      if (syllables.startsWith(begins) && second.has(syllables.slice(begins.length))) return true;
    }
  }
  return false;
}
