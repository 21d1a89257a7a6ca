/** What a service said about a message that holds a code, without anything in it that may be one: four characters or more with a digit among them. */
export function withoutCodes(text: string): string {
  return text.replace(/[\w-]{4,}/g, (word) => (/\d/.test(word) ? '…' : word))
}
