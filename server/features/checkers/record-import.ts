import { type ImportCheckersRequest, LINE_STATES } from '../../../shared/checkers.ts'
import { toPesewas } from '../../../shared/money.ts'
import { SEES_COSTS } from '../../../shared/staff-rules.ts'
import { CHECKER_STOCK, OWNER_FUNDS } from '../../ledger/accounts.ts'
import { postTransfer } from '../../ledger/ledger.ts'
import { recordAdminAction } from '../../platform/audit.ts'
import type { Ctx } from '../../platform/context.ts'
import { brokenConstraint, type Tx, transaction } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { requireStaff } from '../../platform/lock-actor.ts'
import type { Vault } from '../../platform/vault.ts'
import { checkLines } from './check-lines.ts'
import { insertImport } from './checkers.sql.ts'
import { announceCheckers } from './events.ts'

/**
 * Puts codes into the stock, all of them or none, and books what they cost: paid by the owner, in the shop's hands.
 * @throws Invalid, 409 naming the first line that cannot be kept; VaultClosed
 */
export async function recordImport(
  ctx: Ctx,
  vault: Vault | null,
  wanted: ImportCheckersRequest,
): Promise<{ number: string; codes: number }> {
  const made = await transaction(ctx.db, async (tx) => {
    const admin = await requireStaff(tx, ctx, SEES_COSTS, { movesMoney: true })
    const imported = await putIntoStock(tx, ctx, vault, wanted, admin.id)
    await recordAdminAction(tx, ctx, {
      action: 'checkers.imported',
      subject: { type: 'checker-import', id: imported.id },
      after: {
        number: imported.seq,
        kind: wanted.kind,
        codes: wanted.lines.length,
        unitCostPesewas: toPesewas(wanted.unitCost),
        distributor: wanted.distributor,
      },
    })
    return imported
  })
  await announceCheckers(ctx)
  return { number: String(made.seq), codes: wanted.lines.length }
}

/** The same inside a transaction whose caller has checked the rights. Returns the import's id and number. */
export async function putIntoStock(
  tx: Tx,
  { now }: Pick<Ctx, 'now'>,
  vault: Vault | null,
  { kind, distributor, fileName = '', unitCost, lines, asWritten }: ImportCheckersRequest,
  importedBy: string | null,
): Promise<{ id: string; seq: number }> {
  const checked = await checkLines(tx, vault, { kind, lines, asWritten })
  const wrong = checked.findIndex(({ state }) => state !== 'good')
  if (wrong >= 0) throw refuseLine(wrong, checked[wrong]?.state ?? LINE_STATES[1], checked[wrong]?.problem ?? '')
  const codes = checked.map(({ serial, pin, serialHash, pinHash }) => {
    // Never closed here: checkLines has refused that.
    const sealed = (vault as Vault).seal(JSON.stringify([serial, pin]))
    return { serialHash, pinHash, sealed, tail: serial.slice(-TAIL) }
  })
  const unitCostPesewas = toPesewas(unitCost)
  const made = await insertImport(tx, { kind, distributor, fileName, unitCostPesewas, importedBy, now }, codes).catch((error: unknown) => {
    // Somebody imported the same at the same moment.
    const isKnown = ['checker_codes_serial', 'checker_codes_pin'].includes(brokenConstraint(error) ?? '')
    throw isKnown
      ? new AppError('TAKEN', 'Some of these were imported just now. Check the list again.', [
          { path: 'lines', message: 'Imported just now.' },
        ])
      : error
  })
  const costPesewas = unitCostPesewas * codes.length
  await postTransfer(tx, {
    key: `checker-import:${made.id}`,
    kind: 'checker-import',
    memo: `${codes.length} ${kind} checkers from ${distributor}`,
    actorId: importedBy,
    lines: [
      { accountId: CHECKER_STOCK, amountPesewas: -costPesewas },
      { accountId: OWNER_FUNDS, amountPesewas: costPesewas },
    ],
    now,
  })
  return made
}

const TAIL = 4

function refuseLine(index: number, state: string, problem: string): AppError {
  const message = `Line ${index + 1}: ${problem}`
  return new AppError(state === 'malformed' ? 'INVALID' : 'TAKEN', message, [{ path: `lines.${index}`, message }])
}
