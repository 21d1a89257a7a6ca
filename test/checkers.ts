import { randomInt } from 'node:crypto'
import { readLines } from '../server/features/orders/checkers/check-lines.ts'
import { selectPackages, upsertPackage } from '../server/features/orders/checkers/checkers.sql.ts'
import { putIntoStock, sealLines } from '../server/features/orders/checkers/record-import.ts'
import { transaction } from '../server/platform/db.ts'
import { openVault } from '../server/platform/vault.ts'
import type { Order } from '../shared/orders.ts'
import type { SignedInUser } from '../shared/users.ts'
import type { TestShop } from './app.ts'
import { cartLine, checkout, makeUser } from './builders.ts'

/** The vault of a test shop. */
export const TEST_VAULT = openVault({ key: 'the key of the checkers of a test' })

/** A made-up code that is like no other. */
export function makeCode() {
  return { serial: `S${randomInt(10 ** 9, 10 ** 10)}`, pin: `${randomInt(10 ** 5, 10 ** 6)}${randomInt(10 ** 5, 10 ** 6)}` }
}

/** Sells the package BECE or WASSCE from the stock, and puts codes of GHS 15 into it. Returns the import's id and the codes. */
export async function stockCheckers(
  { database, clock }: Pick<TestShop, 'database' | 'clock'>,
  offer: string,
  count: number,
  { units = 1 } = {},
) {
  const lines = Array.from({ length: count }, makeCode)
  const kind = offer.toLowerCase()
  const importId = await transaction(database.db, async (tx) => {
    const found = (await selectPackages(tx)).find((line) => line.offer === offer)
    if (!found) throw new Error(`there is no package ${offer}`)
    await upsertPackage(tx, { productId: found.productId, offer, kind, units })
    if (count === 0) return ''
    const ready = await sealLines(TEST_VAULT, await readLines(tx, TEST_VAULT, null, { kind, lines }))
    return (await putIntoStock(tx, { now: clock.now }, { kind, distributor: 'Kwame Cards', unitCost: 15 }, ready, null)).id
  })
  return { importId, lines }
}

/** A code of BECE in the stock; its id. */
export async function makeUnsoldCode(shop: Pick<TestShop, 'database' | 'clock'>): Promise<number> {
  const { importId } = await stockCheckers(shop, 'BECE', 1)
  const { rows } = await shop.database.db.query<{ id: number }>('select id from checker_codes where import_id = $1', [importId])
  return Number(rows[0]?.id)
}

/** Takes the stock out of the sale again, so that other tests find the shop as it was. */
export async function clearCheckers({ database }: Pick<TestShop, 'database'>) {
  await database.db.query('delete from checker_packages')
}

/** An order of a checker, handed over at once. */
export async function makeCheckerOrder<Buyer extends { token: string } = SignedInUser>(shop: TestShop, as?: Buyer) {
  const buyer = as ?? (await makeUser(shop, { balance: 100 }))
  await stockCheckers(shop, 'WASSCE', 2)
  const priced = 'isAdmin' in buyer && buyer.isAdmin ? 'Agent' : 'Customer'
  const line = await cartLine(shop, { network: 'WAEC Checkers', offer: 'WASSCE', phoneNumber: '0551234567', as: priced })
  const order = (await checkout(shop, buyer, [line])).body.orders[0] as Order
  const { rows } = await shop.database.db.query<{ id: number }>('select id from checker_codes where order_id = $1', [order._id])
  return { order, buyer: buyer as Buyer, code: Number(rows[0]?.id) }
}
