import type { Movement } from '../../../../../shared/wallet.ts'

/** What the shop writes when nobody noted anything. */
const NOTHING_NOTED = ['Credit by the shop', 'Debit by the shop']

/** Orders of one day that follow each other make one line of the statement, others one each. The newest is first. */
export function foldOrders(lines: readonly Movement[]): Movement[][] {
  const folded: Movement[][] = []
  for (const line of lines) {
    const last = folded.at(-1)
    if (line.kind === 'Order' && last?.[0]?.kind === 'Order' && dayOf(last[0]) === dayOf(line)) last.push(line)
    else folded.push([line])
  }
  return folded
}

function dayOf({ createdAt }: Movement): string {
  return createdAt.slice(0, 10)
}

/** What a movement was, in a few words. */
export function movementWords({ kind, details, reference, by, isUndo }: Movement): string {
  if (isUndo) return `Credit undone${by ? ` by ${by}` : ''}`
  switch (kind) {
    case 'Credit by the shop':
    case 'Debit by the shop': {
      const who = by ? kind.replace('the shop', by) : kind
      return details && !NOTHING_NOTED.includes(details) ? `${who}: “${details}”` : who
    }
    case 'Order':
      return details ?? `Order ${reference}`
    case 'Refund':
      return `Refund, order ${reference}`
    case 'Sent back':
      return `Sent back to the card or phone, order ${reference}`
    case 'Recharge':
      return `Top-up ${reference}, mobile money`
    default:
      return reference ? `${kind}, ${reference}` : kind
  }
}
