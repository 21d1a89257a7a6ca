import { AppError } from '../../../platform/errors.ts'

/** A 409 that names every line whose package is not what the admin saw. `list` is the request's field. */
export function refuseChangedMeanwhile(conflicts: readonly { index: number; message: string }[], list: string): AppError {
  const issues = conflicts.map(({ index, message }) => ({ path: `${list}.${index}`, message }))
  const others = issues.length - 1
  const more = others === 0 ? '' : ` ${others} more changed too.`
  return new AppError('CONFLICT', `Somebody has changed prices meanwhile, so nothing was saved. ${issues[0]?.message}${more}`, issues)
}
