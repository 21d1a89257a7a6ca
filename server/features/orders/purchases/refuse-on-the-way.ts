import { AppError } from '../../../platform/errors.ts'
import type { LinesOnTheWay } from './purchases.sql.ts'

/** A 409 that names every line that is on its way already, so that a page can ask. `pathOf` maps a line's index to its field in the request, `nameOrder` an order's number to the name by which the caller knows it. */
export function refuseOnTheWay(
  found: LinesOnTheWay,
  pathOf: (index: number) => string,
  nameOrder: (seq: number) => string = (seq) => `Order ${seq}`,
): AppError {
  const issues = found.map(({ index, seq, network, offer, receiver }) => {
    const order = seq === null ? `${network} ${offer} for ${receiver}` : `${nameOrder(seq)}, ${network} ${offer} for ${receiver},`
    return { path: pathOf(index), message: `${order} is still on its way.` }
  })
  const more = issues.length > 1 ? ` So are ${issues.length - 1} more of these.` : ''
  return new AppError('ON_THE_WAY', `${issues[0]?.message}${more}`, issues)
}
