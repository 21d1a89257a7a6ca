import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Receiver } from '../../../../shared/contacts.ts'
import type { Network } from '../../../../shared/networks.ts'
import { call } from '../../../lib/api.ts'
import { queryClient } from '../../../lib/query-client.ts'
import { ofUser, session } from '../../../lib/session.ts'
import { createStored } from '../../../lib/stored.ts'
import { knownProducts } from '../products/api.ts'

const NONE: readonly Receiver[] = []

/** As last heard from the shop, so that the last receiver is there at once, and without a connection. */
const kept = ofUser(createStored<readonly Receiver[]>('receivers', NONE, isReceivers), NONE)

const receiversQuery = queryOptions({
  queryKey: ['receivers'],
  queryFn: async ({ signal }) => {
    const userId = session.get()?._id
    const receivers = await call('GET /contact', { signal })
    if (userId && session.get()?._id === userId) kept.set(receivers.length === 0 ? NONE : receivers)
    return receivers.length
  },
})

/** The numbers that the signed-in user has named or bought for, the last bought first; empty for a visitor. */
export function useReceivers(): readonly Receiver[] {
  const user = session.use()
  useQuery({ ...receiversQuery, enabled: user !== null })
  const receivers = kept.use()
  return user ? receivers : NONE
}

/** False while they are being read for the first time. */
export function useAreReceiversKnown(): boolean {
  const user = session.use()
  return !useQuery({ ...receiversQuery, enabled: user !== null }).isLoading
}

/** Counts a purchase before the shop has listed it. */
export function noteBought(items: readonly { productId: string | null; offer: string; phoneNumber: string }[]): void {
  const now = new Date().toISOString()
  kept.update((before) =>
    items.reduce((known, { productId, offer, phoneNumber }) => {
      const network = knownProducts()?.find((product) => product._id === productId)?.network
      if (!network) return known
      const isSame = (one: Receiver) => one.network === network && one.phoneNumber === phoneNumber
      const { contactId = null, name = null } = known.find(isSame) ?? {}
      const bought: Receiver = { network, phoneNumber, contactId, name, productId, offer, lastBoughtAt: now }
      return [bought, ...known.filter((one) => !isSame(one))]
    }, before),
  )
  void queryClient.invalidateQueries(receiversQuery)
}

/** Gives a number a name, or another one. @throws RefusedError, NoReplyError */
export async function saveContact(named: { network: Network; phoneNumber: string; name: string }): Promise<void> {
  const { contact } = await call('PUT /contact', { body: named })
  const isSame = (one: Receiver) => one.network === named.network && one.phoneNumber === named.phoneNumber
  const changes = { contactId: contact._id, name: contact.name }
  kept.update((known) => {
    if (known.some(isSame)) return known.map((one) => (isSame(one) ? { ...one, ...changes } : one))
    return [...known, { ...named, ...changes, productId: null, offer: null, lastBoughtAt: null }]
  })
  void queryClient.invalidateQueries(receiversQuery)
}

/** Takes a number's name away; one that was bought for stays among the recent numbers. @throws RefusedError, NoReplyError */
export async function deleteContact(id: string): Promise<void> {
  await call('DELETE /contact/:id', { params: { id } })
  kept.update((known) =>
    known.flatMap((one) => {
      if (one.contactId !== id) return one
      return one.lastBoughtAt === null ? [] : { ...one, contactId: null, name: null }
    }),
  )
  void queryClient.invalidateQueries(receiversQuery)
}

function isReceivers(value: unknown): boolean {
  return (
    Array.isArray(value) && value.every((one: Partial<Receiver>) => typeof one?.phoneNumber === 'string' && typeof one.network === 'string')
  )
}
