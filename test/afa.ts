import type { AfaForm } from '../shared/afa.ts'
import type { TestShop } from './app.ts'
import { cartLine, checkout } from './builders.ts'

export const AFA_FORM: AfaForm = {
  fullName: 'Ama Serwaa Mensah',
  phone: '0244123456',
  ghanaCard: 'GHA-712345678-9',
  birthDate: '1990-05-17',
  region: 'Ashanti',
  town: 'Kumasi',
  occupation: 'Farmer',
  consent: true,
}

let cards = 0

/** A card is registered once. */
export function newGhanaCard(): string {
  cards += 1
  return `GHA-${String(500_000_000 + cards)}-${cards % 10}`
}

/** An AFA order of a customer who can pay it, 20.00; its id. */
export async function makeAfaOrder(shop: TestShop, as: { token: string }): Promise<string> {
  const { status, body } = await checkout(shop, as, [await cartLine(shop, { network: 'AFA', offer: 'AFA registration' })])
  if (status !== 200) throw new Error(`could not buy AFA: ${JSON.stringify(body)}`)
  return (body.orders[0] as { _id: string })._id
}
