import { createHmac } from 'node:crypto'
import { SHORTEST_UNIQUE_PIN } from '../../../../shared/checker-rules.ts'
import type { CheckerLineState } from '../../../../shared/checkers.ts'
import { findPairProblems } from '../../../../shared/readers/read-checkers.ts'

export type Line = { serial: string; pin: string }
export type Hashed = { serialHash: Uint8Array; pinHash: Uint8Array | null }
export type Checked = Line & CheckerLineState & Hashed

/**
 * What a list says of its own lines: no serial and PIN, damaged beside the others, or twice in the list. `asWritten`: somebody has looked at
 * numbers of unusual length. For `callAside`.
 */
export function hashLines({
  key,
  kind,
  lines,
  asWritten = false,
}: {
  key: string
  kind: string
  lines: readonly Line[]
  asWritten?: boolean | undefined
}): Checked[] {
  const seen = new Set<string>()
  const problems = findPairProblems(lines)
  return lines.map((line, index): Checked => {
    const hashes = hashLine(key, kind, line)
    const { problem = null, isAskable = false } = problems[index] ?? {}
    if (problem !== null && !(isAskable && asWritten)) return { ...line, ...hashes, state: 'malformed', problem }
    const names = [hashes.serialHash, hashes.pinHash].flatMap((hash) => hash?.toString('base64') ?? [])
    const isTwice = names.some((name) => seen.has(name))
    for (const name of names) seen.add(name)
    return { ...line, ...hashes, state: isTwice ? 'twice' : 'good', problem: isTwice ? 'It stands in the list twice.' : null }
  })
}

/** What a code is recognised by without the code itself. However it is written, it is the same one. */
function hashLine(key: string, kind: string, { serial, pin }: Line): { serialHash: Buffer; pinHash: Buffer | null } {
  const hash = (what: string, text: string) =>
    createHmac('sha256', key)
      .update(`${kind} ${what} ${text.replaceAll('-', '').toUpperCase()}`)
      .digest()
  return { serialHash: hash('serial', serial), pinHash: pin.length < SHORTEST_UNIQUE_PIN ? null : hash('pin', pin) }
}
