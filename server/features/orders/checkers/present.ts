import type { CheckerImport, CheckerKind, ImportedChecker, OwnChecker, SoldChecker } from '../../../../shared/checkers.ts'
import { toCedis } from '../../../../shared/money.ts'
import type { Vault } from '../../../platform/vault.ts'
import type { CodeRow, ImportRow, KindRow, ListedCodeRow } from './checkers.sql.ts'

/**
 * A code for whoever bought it.
 * @throws Error when it was encrypted under a key that the shop does not have.
 */
export function presentOwn(vault: Vault | null, { name, portal, sealed, fault }: CodeRow): OwnChecker {
  if (!vault) throw new Error('There is no CHECKERS_KEY to open a checker with.')
  const [serial, pin] = JSON.parse(vault.open(sealed)) as [string, string]
  return { name, portal, serial, pin, replaced: fault !== null }
}

/** A sold code for staff: nobody can use what they see. */
export function presentSold({ id, name, tail, soldAt, replacesId, fault }: CodeRow): SoldChecker {
  return {
    _id: String(id),
    name,
    serialEnd: tail,
    soldAt: soldAt.toISOString(),
    replaces: replacesId === null ? null : String(replacesId),
    fault,
  }
}

/** A code of an import: of its serial the end alone. */
export function presentCode({ id, tail, soldTo, takenBackAt, voidedAt, voidedBy, voidReason }: ListedCodeRow): ImportedChecker {
  return {
    _id: String(id),
    serialEnd: tail,
    state: soldTo !== null ? 'sold' : voidedAt !== null ? 'voided' : takenBackAt !== null ? 'taken-back' : 'in-stock',
    order: soldTo === null ? null : String(soldTo),
    reason: soldTo === null ? voidReason : null,
    by: soldTo === null ? voidedBy : null,
  }
}

export function presentKind({ valuePesewas, ...row }: KindRow): CheckerKind {
  return { ...row, value: toCedis(valuePesewas) }
}

export function presentImport({ id, seq, unitCostPesewas, importedAt, takenBackAt, ...row }: ImportRow): CheckerImport {
  return {
    _id: id,
    number: String(seq),
    ...row,
    unitCost: toCedis(unitCostPesewas),
    importedAt: importedAt.toISOString(),
    takenBackAt: takenBackAt?.toISOString() ?? null,
  }
}
