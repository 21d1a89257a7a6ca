import { unzipSync } from 'fflate'
import { fileTexts } from '../texts/files.ts'

/** A ZIP of 5 MB may hold a thousand times as much. */
const MOST_UNPACKED_BYTES = 40_000_000

/**
 * The texts of a ZIP's XML parts by name.
 * @throws Error with a sentence for whoever chose the file where it is too large; another where it is damaged.
 */
export function unzip(bytes: Uint8Array): Map<string, string> {
  let left = MOST_UNPACKED_BYTES
  const parts = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      if (!/\.(?:xml|rels)$/i.test(name)) return false
      left -= originalSize
      if (left < 0) throw new Error(fileTexts.tooMuch)
      return true
    },
  })
  return new Map(Object.entries(parts).map(([name, part]) => [name, textOf(part)]))
}

/** A part takes no more room than its file says. One that is really larger then lacks its end. */
function textOf(part: Uint8Array): string {
  const text = new TextDecoder().decode(part)
  const [, root] = /<([A-Za-z][\w:.-]*)/.exec(text) ?? []
  if (!root || !new RegExp(`(?:</${root}\\s*|<${root}(?:\\s[^<>]*)?/)>\\s*$`).test(text)) throw new Error('cut off')
  return text
}
