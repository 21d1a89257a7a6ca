/** Letters that are not a base letter with an accent, and the plain letters they are read as. */
const PLAIN: Record<string, string> = {
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ð: 'd',
  đ: 'd',
  þ: 'p',
  ħ: 'h',
  ł: 'l',
  ŀ: 'l',
  ŧ: 't',
  ŋ: 'n',
  ŉ: 'n',
  ĸ: 'k',
  ĳ: 'ij',
  ɔ: 'o',
  ɛ: 'e',
  ɖ: 'd',
  ƒ: 'f',
  ɣ: 'y',
  ʋ: 'v',
  ǝ: 'e',
  ȝ: 'z',
  ʒ: 'z',
  ǥ: 'g',
  ǳ: 'dz',
  ſ: 's',
  ẜ: 's',
  ẝ: 's',
  ẚ: 'a',
  ẟ: 'd',
  ỻ: 'll',
  ỽ: 'v',
  ỿ: 'y',
}

/** Characters that look alike in most typefaces, folded to one letter; separators are removed. */
const LOOK_ALIKES: [RegExp, string][] = [
  [/[._' -]/g, ''],
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/[1il|]/g, 'l'],
  [/0/g, 'o'],
]

/** Sequences mistaken for another letter at a glance. Not used for uniqueness, where they would reject too many honest names. */
const AT_A_GLANCE: [RegExp, string][] = [
  [/cl/g, 'd'],
  [/nn/g, 'm'],
  [/3/g, 'e'],
  [/4/g, 'a'],
  [/5/g, 's'],
  [/7/g, 't'],
  [/8/g, 'b'],
]

/** The form in which usernames are unique: "kofi.mensah", "k0fi mensah", "kófi mensah" and "kofimensah" are the same. */
export function foldUsername(username: string): string {
  const plain = username
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]/g, (letter) => PLAIN[letter] ?? letter)
  return fold(plain, LOOK_ALIKES)
}

/** The form in which a name is compared with reserved names: "aclm1n" is "admin". */
export function atAGlance(username: string): string {
  // "cl" before the look-alikes, which may turn an l into an i.
  return fold(foldUsername(fold(username, AT_A_GLANCE)), AT_A_GLANCE)
}

function fold(name: string, pairs: [RegExp, string][]): string {
  return pairs.reduce((folded, [pattern, letter]) => folded.replace(pattern, letter), name)
}
