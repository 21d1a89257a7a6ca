import { randomBytes } from 'node:crypto'
import { type Asker, callAside } from '../../../platform/aside.ts'
import type { Queryable } from '../../../platform/db.ts'
import { AppError, Invalid } from '../../../platform/errors.ts'
import type { Vault } from '../../../platform/vault.ts'
import { ensureSealedKey, existsKind, selectKnown } from './checkers.sql.ts'
import { type Checked, hashLines, type Line } from './hash-lines.ts'

export type LinesToCheck = { kind: string; lines: readonly Line[]; asWritten?: boolean | undefined }

const HASHER = new URL('./hash-lines.ts', import.meta.url)
const HASH_KEY_BYTES = 32

/**
 * Says of each line whether it can go into the stock: not if it is no serial and PIN, seems to be damaged beside the others, stands twice in
 * the list, or is or was in the stock. `asWritten`: somebody has looked at numbers of unusual length.
 * @throws Invalid for a kind that does not exist; VaultClosed; whatever `callAside` throws.
 */
export async function checkLines(db: Queryable, vault: Vault | null, asker: Asker, wanted: LinesToCheck): Promise<Checked[]> {
  return compareWithStock(db, wanted.kind, await readLines(db, vault, asker, wanted))
}

/** The same, as far as the list alone says it. Without an asker the lines are the shop's own, and few. */
export async function readLines(
  db: Queryable,
  vault: Vault | null,
  asker: Asker | null,
  { kind, lines, asWritten }: LinesToCheck,
): Promise<Checked[]> {
  if (!vault) throw new VaultClosed()
  if (!(await existsKind(db, kind))) throw new Invalid([{ path: 'kind', message: 'Choose a kind from the list.' }])
  const key = vault.open(await ensureSealedKey(db, vault.seal(randomBytes(HASH_KEY_BYTES).toString('base64'))))
  const wanted = { key, kind, lines, asWritten }
  if (asker === null) return hashLines(wanted)
  const signs = lines.reduce((sum, { serial, pin }) => sum + serial.length + pin.length, 0)
  return callAside(asker, HASHER, hashLines, wanted, { signs })
}

/** Marks the lines that are or were in the stock. */
export async function compareWithStock(db: Queryable, kind: string, checked: Checked[]): Promise<Checked[]> {
  const known = await selectKnown(
    db,
    kind,
    checked.map(({ serialHash }) => Buffer.from(serialHash)),
    checked.map(({ pinHash }) => pinHash && Buffer.from(pinHash)),
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

/** A live shop without a key keeps no codes: they would stand in its database and its backups for everyone to read. */
export class VaultClosed extends AppError {
  constructor() {
    super('CONFLICT', 'Checkers are kept encrypted, and this shop has no key for that yet. Set CHECKERS_KEY and start the shop again.')
  }
}
