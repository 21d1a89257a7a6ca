import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import type { Vault } from '../../../platform/vault.ts'
import { selectSealed, selectSealedKey, updateSealed, updateSealedKey } from './checkers.sql.ts'

const AT_ONCE = 1_000

/** Encrypts under today's key what is still under the one before. Once it has run, the old key can go. Returns how many codes it changed. */
export async function sealCodesAnew(ctx: Ctx, vault: Vault | null): Promise<number> {
  const sealedKey = vault && (await selectSealedKey(ctx.db))
  if (!vault || !sealedKey) return 0
  const anew = (sealed: Buffer) => vault.seal(vault.open(sealed))
  if (!vault.isCurrent(sealedKey)) await transaction(ctx.db, (tx) => updateSealedKey(tx, anew(sealedKey)))
  let changed = 0
  for (let after = 0; ; ) {
    const codes = await selectSealed(ctx.db, after, AT_ONCE)
    const last = codes.at(-1)
    if (!last) return changed
    const old = codes.filter(({ sealed }) => !vault.isCurrent(sealed)).map(({ id, sealed }) => ({ id, sealed: anew(sealed) }))
    if (old.length > 0) await transaction(ctx.db, (tx) => updateSealed(tx, old))
    changed += old.length
    after = last.id
  }
}
