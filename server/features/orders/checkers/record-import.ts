import { setImmediate } from 'node:timers/promises'
import { type ImportCheckersRequest, LINE_STATES } from '../../../../shared/checkers.ts'
import { toPesewas } from '../../../../shared/money.ts'
import { SEES_COSTS } from '../../../../shared/staff-rules.ts'
import { CHECKER_STOCK, OWNER_FUNDS } from '../../../ledger/accounts.ts'
import { postTransfer } from '../../../ledger/ledger.ts'
import { askerOf } from '../../../platform/aside.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { brokenConstraint, type Tx, transaction } from '../../../platform/db.ts'
import { AppError } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import type { Vault } from '../../../platform/vault.ts'
import { compareWithStock, readLines, VaultClosed } from './check-lines.ts'
import { insertImport } from './checkers.sql.ts'
import { announceCheckers } from './events.ts'
import type { Checked } from './hash-lines.ts'

/**
 * Puts codes into the stock, all of them or none, and books what they cost: paid by the owner, in the shop's hands.
 * @throws Invalid, 409 naming the first line that cannot be kept; VaultClosed
 */
export async function recordImport(
  ctx: Ctx,
  vault: Vault | null,
  wanted: ImportCheckersRequest,
): Promise<{ number: string; codes: number }> {
  const ready = await sealLines(vault, await readLines(ctx.db, vault, askerOf(ctx), wanted))
  const made = await transaction(ctx.db, async (tx) => {
    const admin = await requireStaff(tx, ctx, SEES_COSTS, { movesMoney: true })
    const imported = await putIntoStock(tx, ctx, wanted, ready, admin.id)
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

type Ready = { checked: Checked[]; sealed: Buffer[] }

/** So many codes are sealed before others get a turn. */
const SEALED_AT_ONCE = 200

/** The lines with each code encrypted, to be put into the stock. */
export async function sealLines(vault: Vault | null, checked: Checked[]): Promise<Ready> {
  if (!vault) throw new VaultClosed()
  const sealed: Buffer[] = []
  for (const { serial, pin } of checked) {
    if (sealed.length % SEALED_AT_ONCE === 0) await setImmediate()
    sealed.push(vault.seal(JSON.stringify([serial, pin])))
  }
  return { checked, sealed }
}

/** The same inside a transaction whose caller has checked the rights, with lines from `sealLines`. Returns the import's id and number. */
export async function putIntoStock(
  tx: Tx,
  { now }: Pick<Ctx, 'now'>,
  { kind, distributor, fileName = '', unitCost }: Omit<ImportCheckersRequest, 'lines'>,
  { checked: read, sealed }: Ready,
  importedBy: string | null,
): Promise<{ id: string; seq: number }> {
  const checked = await compareWithStock(tx, kind, read)
  const wrong = checked.findIndex(({ state }) => state !== 'good')
  if (wrong >= 0) throw refuseLine(wrong, checked[wrong]?.state ?? LINE_STATES[1], checked[wrong]?.problem ?? '')
  const codes = checked.map(({ serial, serialHash, pinHash }, index) => ({
    serialHash: Buffer.from(serialHash),
    pinHash: pinHash && Buffer.from(pinHash),
    sealed: sealed[index] as Buffer,
    tail: serial.slice(-TAIL),
  }))
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
