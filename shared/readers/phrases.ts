/** The time and the sender of a message, as WhatsApp copies and exports them. */
export const CHAT_HEAD = /^\s*(?:\[[^\]]{0,40}\d[:/][^\]]{0,40}\]|\d{1,2}\/\d{1,2}\/\d{2,4},? \d{1,2}:\d\d[^-]{0,12}-) ([^:]{0,60}):(?=\s)/

/** Words that speak against whatever they stand beside or above, in plain small letters. */
export const AGAINST =
  /(?:^| )(?:cancel\w*|revers\w*|refund\w*|roll\w* ?back|charge ?back|return(?:ed|s)?|fail\w*|reject\w*|declin\w*|denied|expire[ds]?|void\w*|invalid|used|sold|unpaid|unsuccess\w*|undeliver\w*|incomplete|bounced|dishonou?red|not|don t|dont|cannot|can t|never|stop|hold|skip|ignore|remove|delete\w*|duplicate\w*|already|pending|await\w*|wait\w*|wrong|error\w*|barred|blocked|suspended|inactive|disput\w*|fraud|insufficient|unable)(?: |$)/

/** What a table's row with a size has instead of its number, so that it is no heading of the rows below it. */
export const NO_NUMBER = '(no number)'

/** Money that is not in cedis. */
export const FOREIGN = /(?:^|[^a-z])(?:usd|eur|gbp|ngn|xof|cfa|cad|zar|kes|naira|dollars?|euros?|pounds? sterling)(?:[^a-z]|$)|[$€£₦¥]/i

/** Words with spaces or line ends between them. */
export function toSet(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/))
}

/** Each of the phrases of a value, between which `|` stands, with that value. */
export function toMap<T extends string>(phrases: Record<T, string>): Map<string, T> {
  return new Map((Object.keys(phrases) as T[]).flatMap((value) => phrases[value].split('|').map((one): [string, T] => [one, value])))
}

/** Each of the values with how often it comes, the commonest first. */
export function tally<T>(values: readonly T[]): [T, number][] {
  return [...Map.groupBy(values, (value) => value)]
    .map(([value, { length }]): [T, number] => [value, length])
    .toSorted(([, one], [, other]) => other - one)
}
