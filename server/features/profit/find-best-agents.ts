/** As agents_of_days.sql packs them: users.seq, delivered orders, and sales less refunds in pesewas. */
const AGENT_BYTES = 16
const ORDERS_AT = 4
const NET_AT = 8

type Bought = { seq: number; orders: number; net: number }

/** users.seq of the `most` agents with most sales less refunds over all lists, of those with a delivery, and of all who have as much as the last. */
export function findBestAgents(lists: readonly Buffer[], most: number): number[] {
  const buyers = addUp(lists).filter(({ orders }) => orders > 0)
  // Sorting all of them would take longer than adding them up.
  const best: number[] = []
  for (const { net } of buyers) {
    if (best.length === most && net <= (best.at(-1) as number)) continue
    const place = best.findIndex((other) => other < net)
    best.splice(place < 0 ? best.length : place, 0, net)
    if (best.length > most) best.pop()
  }
  const least = best.at(-1) ?? 0
  return buyers.filter(({ net }) => net >= least).map(({ seq }) => seq)
}

function addUp(lists: readonly Buffer[]): Bought[] {
  const bought: Bought[] = []
  const known = new Map<number, Bought>()
  for (const list of lists) {
    for (let at = 0; at < list.length; at += AGENT_BYTES) {
      const seq = list.readInt32BE(at)
      const orders = list.readInt32BE(at + ORDERS_AT)
      const net = list.readInt32BE(at + NET_AT) * 2 ** 32 + list.readUInt32BE(at + NET_AT + 4)
      const agent = known.get(seq)
      if (agent) {
        agent.orders += orders
        agent.net += net
      } else {
        const added = { seq, orders, net }
        known.set(seq, added)
        bought.push(added)
      }
    }
  }
  return bought
}
