import { randomUUID } from 'node:crypto'
import type { Product } from '../shared/products.ts'
import { WireClient } from './wire-client.ts'

export type Bundle = { productId: string; offer: string; amount: number }

export const RECEIVER = '0551234567'

/** The smallest bundle of MTN, which everything here buys. `amount` in cedis. */
export async function findBundle(address: string): Promise<Bundle> {
  const products = (await (await fetch(`${address}/api/product`)).json()) as Product[]
  const product = products.find(({ network }) => network === 'MTN') as Product
  const { offer, priceCustomer } = product.packages[0] as Product['packages'][number]
  return { productId: product._id, offer, amount: priceCustomer }
}

/** One connection for each of `clients`, who buy one bundle after the other; a client's buyers take turns. */
export async function openHttpBuyers(address: string, buyers: { token: string }[], clients = buyers.length) {
  const { productId, offer, amount } = await findBundle(address)
  const body = JSON.stringify({ items: [{ productId, offer, phoneNumber: RECEIVER, amount }] })
  const head = `POST /api/order/checkout HTTP/1.1\r\nhost: ${new URL(address).host}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n`
  const connections = await Promise.all(Array.from({ length: clients }, () => WireClient.open(address)))
  const each = Math.max(1, Math.floor(buyers.length / clients))
  return {
    async buy(client: number, turn: number) {
      const { token } = buyers[(client * each + (turn % each)) % buyers.length] as { token: string }
      const headers = `authorization: Bearer ${token}\r\nidempotency-key: ${randomUUID()}\r\n`
      const reply = await (connections[client] as WireClient).send(`${head}${headers}\r\n${body}`)
      if (reply.status !== 200) throw new Error(`a checkout was refused with ${reply.status}: ${reply.body}`)
    },
    close() {
      for (const connection of connections) connection.close()
    },
  }
}
