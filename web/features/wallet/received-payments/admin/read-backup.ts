/** As much as the shop reads at once, with room to spare. */
const MOST_CHARACTERS = 300_000
const MONEY = /GHS|GH¢|¢/i

/**
 * The messages with money in them from an SMS backup (XML, or JSON by lines) or an exported chat, the newest if there are too many.
 * The others are private and stay in the browser.
 */
export function readBackup(text: string): string {
  // As on the server, only what begins as XML is XML.
  const isXml = /^\s*<[?!a-z]/i.test(text) && /<sms\s/i.test(text)
  const parts = isXml ? (text.match(/<sms\s[^>]*?\/?>/gi) ?? []) : text.split(/\r?\n/)
  const isJson = !isXml && parts.some((line) => /^\s*\{.*"body"/.test(line))
  // A chat's messages run over several lines, so only its end is taken.
  const chosen = isXml || isJson ? parts.filter((part) => MONEY.test(part)) : parts
  const sorted = isXml ? chosen.toSorted((a, b) => timeOf(a) - timeOf(b)) : chosen
  const kept: string[] = []
  let length = 0
  for (const part of sorted.toReversed()) {
    length += part.length + 1
    if (length > MOST_CHARACTERS) break
    kept.unshift(part)
  }
  return kept.join('\n')
}

function timeOf(sms: string): number {
  return Number(/\bdate=["'](\d+)/.exec(sms)?.[1] ?? 0)
}
