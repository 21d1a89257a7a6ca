import { asDoubtful, asRead, NOTHING, plainText, type Reading } from './reading.ts'

const WORDS: Record<string, number> = { once: 1, twice: 2, thrice: 3, double: 2, triple: 3 }
const MARKED = /^(?:[x×*] ?(\d{1,3})|(\d{1,3}) ?(?:[x×]|times|pcs|pieces?)|(?:qty|quantity)[.:=]? ?(\d{1,3}))\.?$/i

/** How many of a thing: "x2", "*2", "2x", "2 times", "twice", "qty 2". A number alone is doubtful, unless `bare`. */
export function readQuantity(text: string, { bare = false }: { bare?: boolean } = {}): Reading<number> {
  const plain = plainText(text)
  if (plain === '') return NOTHING
  const word = plain.toLowerCase()
  if (Object.hasOwn(WORDS, word)) return asRead(WORDS[word] as number)
  const [, before, after, named] = MARKED.exec(plain) ?? []
  const alone = /^\d{1,3}$/.test(plain) ? plain : undefined
  const count = Number(before ?? after ?? named ?? alone)
  if (!(count > 0)) return asDoubtful(text, 'How many is that?')
  return alone && !bare ? asDoubtful(text, 'Is that how many?', [count]) : asRead(count)
}
