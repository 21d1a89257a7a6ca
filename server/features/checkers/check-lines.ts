import { createHmac, randomBytes } from 'node:crypto'
import { SHORTEST_UNIQUE_PIN } from '../../../shared/checker-rules.ts'
import type { CheckerLineState } from '../../../shared/checkers.ts'
import { findPairProblems } from '../../../shared/readers/read-checkers.ts'
import type { Queryable } from '../../platform/db.ts'
import { AppError, Invalid } from '../../platform/errors.ts'
import type { Vault } from '../../platform/vault.ts'
import { ensureSealedKey, existsKind, selectKnown } from './checkers.sql.ts'

export type Line = { serial: string; pin: string }
export type Hashed = { serialHash: Buffer; pinHash: Buffer | null }
export type Checked = Line & CheckerLineState & Hashed

const HASH_KEY_BYTES = 32

/**
 * Says of each line whether it can go into the stock: not if it is no serial and PIN, seems to be damaged beside the others, stands twice in
 * the list, or is or was in the stock. `asWritten`: somebody has looked at numbers of unusual length.
 * @throws Invalid for a kind that does not exist; VaultClosed
 */
export async function checkLines(
  db: Queryable,
  vault: Vault | null,
  { kind, lines, asWritten = false }: { kind: string; lines: readonly Line[]; asWritten?: boolean | undefined },
): Promise<Checked[]> {
  if (!vault) throw new VaultClosed()
  if (!(await existsKind(db, kind))) throw new Invalid([{ path: 'kind', message: 'Choose a kind from the list.' }])
  const key = vault.open(await ensureSealedKey(db, vault.seal(randomBytes(HASH_KEY_BYTES).toString('base64'))))
  const seen = new Set<string>()
  const problems = findPairProblems(lines)
  const checked = lines.map((line, index): Checked => {
    const hashes = hashLine(key, kind, line)
    const { problem = null, isAskable = false } = problems[index] ?? {}
    if (problem !== null && !(isAskable && asWritten)) return { ...line, ...hashes, state: 'malformed', problem }
    const names = [hashes.serialHash, hashes.pinHash].flatMap((hash) => hash?.toString('base64') ?? [])
    const isTwice = names.some((name) => seen.has(name))
    for (const name of names) seen.add(name)
    return { ...line, ...hashes, state: isTwice ? 'twice' : 'good', problem: isTwice ? 'It stands in the list twice.' : null }
  })
  const known = await selectKnown(
    db,
    kind,
    checked.map(({ serialHash }) => serialHash),
    checked.map(({ pinHash }) => pinHash),
  )
  for (const { place, sold } of known) {
    const line = checked[place - 1] as Checked
    if (line.state === 'malformed') continue
    Object.assign(
      line,
      sold ? { state: 'sold', problem: 'It was sold already.' } : { state: 'in-stock', problem: 'It is in the stock already.' },
    )
  }
  return checked
}

/** What a code is recognised by without the code itself. However it is written, it is the same one. */
function hashLine(key: string, kind: string, { serial, pin }: Line): Hashed {
  const hash = (what: string, text: string) =>
    createHmac('sha256', key)
      .update(`${kind} ${what} ${text.replaceAll('-', '').toUpperCase()}`)
      .digest()
  return { serialHash: hash('serial', serial), pinHash: pin.length < SHORTEST_UNIQUE_PIN ? null : hash('pin', pin) }
}

/** A live shop without a key keeps no codes: they would stand in its database and its backups for everyone to read. */
export class VaultClosed extends AppError {
  constructor() {
    super('CONFLICT', 'Checkers are kept encrypted, and this shop has no key for that yet. Set CHECKERS_KEY and start the shop again.')
  }
}
