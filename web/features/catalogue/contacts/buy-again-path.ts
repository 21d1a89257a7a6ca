/** What was bought: by the catalogue's id where it is known, otherwise by the names that an order keeps. */
type Bought = { network: string; productId?: string | null; offer: string; receiver: string }

/** Opens the store with the same offer for the same number, where one answer buys it. It names the receiver, so it is never shared. */
export function buyAgainPath({ network, productId, offer, receiver }: Bought): string {
  return `/store?${new URLSearchParams({ buy: productId ?? network, offer, to: receiver })}`
}
