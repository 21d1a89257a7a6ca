/** As agents_of_days.sql packs them: users.seq, delivered orders, and sales less refunds in pesewas. */
const AGENT_BYTES = 16
const ORDERS_AT = 4
const NET_AT = 8

type Bought = { seq: number; orders: number; net: number }

/**
 * What agents bought in some days: those with most sales less refunds, packed, and what others of these days have at most and at least. A list whose
 * others have nothing says 0.
 */
export type AgentList = { best: Buffer; othersMost: number; othersLeast: number }

/**
 * users.seq of all who may be among the `most` best over all lists; null when that can't be told by the best of each list. Who is among the others
 * of every list has as much as all of these have at most.
 */
export function findLikelyAgents(lists: readonly AgentList[], most: number): number[] | null {
  const known = addUp(lists.map(({ best }) => best))
  const atLeast = findLeast(known, most)
  if (atLeast === null) return null
  const unknown = lists.reduce((sum, { othersMost, othersLeast }) => sum + Math.max(0, othersMost) - Math.min(0, othersLeast), 0)
  const least = atLeast - unknown
  return least > 0 ? known.filter(({ net }) => net >= least).map(({ seq }) => seq) : null
}

/** users.seq of the `most` agents with most sales less refunds over all lists, of those with a delivery, and of all who have as much as the last. */
export function findBestAgents(lists: readonly Buffer[], most: number): number[] {
  const buyers = addUp(lists).filter(({ orders }) => orders > 0)
  const least = findLeast(buyers, most) ?? Number.NEGATIVE_INFINITY
  return buyers.filter(({ net }) => net >= least).map(({ seq }) => seq)
}

/** What the last of the `most` best has; null when there are fewer. Sorting all would take longer than adding them up. */
function findLeast(agents: readonly Bought[], most: number): number | null {
  const best: number[] = []
  for (const { net, orders } of agents) {
    if (orders <= 0 || (best.length === most && net <= (best.at(-1) as number))) continue
    const place = best.findIndex((other) => other < net)
    best.splice(place < 0 ? best.length : place, 0, net)
    if (best.length > most) best.pop()
  }
  return best.length < most ? null : (best.at(-1) as number)
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
