import type { FormatDraft } from '../../../../shared/message-format-endpoints.ts'
import type { MessageFormat } from '../../../../shared/message-formats.ts'
import { askerOf, callAside } from '../../../platform/aside.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError, Invalid } from '../../../platform/errors.ts'
import { requirePassword, requireStaff } from '../../../platform/lock-actor.ts'
import { builtInOf } from './choose-formats.ts'
import { type FormatRow, insertVersion, lockFormats, selectFormats } from './formats.sql.ts'
import { readProblems } from './read-attempt.ts'

const ATTEMPT_READER = new URL('./read-attempt.ts', import.meta.url)

/** Each message is compared with all of them. */
const MOST_FORMATS = 60

/**
 * Writes the next version of a form, which counts for the next message that any process reads. What was read before stays as it is.
 * @throws PasswordNeeded; Invalid when it does not read its samples, or reads others'; AppError (CONFLICT) when `version` is not the newest, or
 * at the most forms that a shop can have.
 */
export async function changeFormat(
  ctx: Ctx,
  { version, ...wanted }: FormatDraft & { version: number },
  ofServer: readonly MessageFormat[],
): Promise<FormatRow> {
  const { network, name } = wanted
  const builtIn = builtInOf(wanted)
  const isRestored = wanted.words === null && builtIn !== undefined
  const draft: FormatDraft = isRestored ? { ...wanted, kind: builtIn.kind as FormatRow['kind'], senders: [], samples: [] } : wanted
  const known = await selectFormats(ctx.db)
  // Each sample of every form is read with all forms: aside, and so before the others wait for this change.
  const problems = await callAside(askerOf(ctx), ATTEMPT_READER, readProblems, { draft, rows: known, ofServer })
  return transaction(ctx.db, async (tx) => {
    const owner = await requireStaff(tx, ctx, 'owner', { movesMoney: true })
    await requirePassword(tx, ctx)
    await lockFormats(tx)
    const rows = await selectFormats(tx)
    const before = rows.find((row) => row.network === network && row.name === name)
    if ((before?.version ?? 0) !== version) {
      throw new AppError('CONFLICT', 'Somebody has changed this form meanwhile. Look at it again.')
    }
    if (!before && rows.length >= MOST_FORMATS) throw new AppError('CONFLICT', `You can have at most ${MOST_FORMATS} forms of your own.`)
    if (versionsOf(rows) !== versionsOf(known))
      throw new AppError('CONFLICT', 'Somebody has changed another form meanwhile. Save yours again.')
    if (problems.length > 0) throw new Invalid(problems)
    const { on, ...said } = draft
    const made = { ...said, isOn: on, version: version + 1, by: owner.id, now: ctx.now }
    if (!(await insertVersion(tx, made))) throw new AppError('CONFLICT', 'Somebody has changed this form meanwhile. Look at it again.')
    await recordAdminAction(tx, ctx, {
      action: 'message-format.change',
      subject: { type: 'message-format', id: `${network} ${name}` },
      ...(before && { before: told(before) }),
      after: told(made),
    })
    return { ...said, isOn: on, version: version + 1, changedAt: ctx.now, changedBy: owner.username }
  })
}

const versionsOf = (rows: readonly FormatRow[]) => rows.map(({ network, name, version }) => `${network} ${name} ${version}`).join('\n')

function told({ version, isOn, kind, words, senders }: Pick<FormatRow, 'version' | 'isOn' | 'kind' | 'words' | 'senders'>) {
  return { version, on: isOn, kind, words, senders }
}
