import type { Experiment } from './experiment.ts'
import { count, eachOf } from './measure.ts'
import { PASSWORD, type Person, type Shops } from './shops.ts'

const PIN = '7392'

async function makeBuyer(shops: Shops): Promise<Person> {
  const buyer = await shops.makeUser({ pesewas: 100_000 })
  await shops.call('POST', '/user/me/pin', { as: buyer, body: { password: PASSWORD, pin: PIN, atCheckout: true } })
  return buyer
}

const prove = (shops: Shops, buyer: Person, pin = PIN, shop = 0) =>
  shops.call('POST', '/user/me/pin/proof', { as: buyer, body: { pin }, shop })

function buy(shops: Shops, buyer: Person, proof: string, shop: number) {
  const headers = { 'idempotency-key': crypto.randomUUID(), 'pin-proof': proof }
  return shops.call('POST', '/order/checkout', { as: buyer, body: { items: [shops.line()] }, headers, shop })
}

/** Z. The transaction PIN. */
export const transactionPins: Experiment[] = [
  {
    id: 'Z1',
    expects: 'one PIN × 60 guesses over 2 processes at once: five are looked at, then it is locked, also for the right one',
    runs: { fast: 3, full: 30 },
    async go(trial) {
      const shops = await trial.shops()
      await trial.repeat(async () => {
        const buyer = await makeBuyer(shops)
        const guesses = Array.from({ length: 60 }, (_, index) => String(3100 + 7 * index))
        const replies = await eachOf(guesses, 20, (pin, index) => prove(shops, buyer, pin, index % 2))
        // The fifth says that it has locked.
        trial.same(
          'guesses that were looked at before the lock',
          count(replies, ({ status }) => status === 400),
          4,
        )
        trial.same(
          'the others',
          count(replies, ({ body }) => body.code === 'PIN_LOCKED'),
          56,
        )
        const right = await prove(shops, buyer)
        trial.same('the right one', [right.status, right.body.code], [429, 'PIN_LOCKED'])
        const bought = await buy(shops, buyer, 'made up', 1)
        trial.same('a purchase', [bought.status, bought.body.code], [403, 'PIN_REQUIRED'])
      })
    },
  },
  {
    id: 'Z2',
    expects: 'one proof × 6 purchases over 2 processes at once: one order; beside a new PIN: one order or none, and none after it',
    runs: { fast: 10, full: 100 },
    async go(trial) {
      const shops = await trial.shops()
      await trial.repeat(async (run) => {
        const buyer = await makeBuyer(shops)
        const { proof } = (await prove(shops, buyer)).body as { proof: string }
        const changes = run % 2 === 1
        const change = changes
          ? shops.call('PUT', '/user/me/pin', { as: buyer, body: { currentPin: PIN, pin: '8251' }, shop: 1 })
          : Promise.resolve(null)
        const replies = await eachOf(Array.from({ length: 6 }), 6, (_, index) => buy(shops, buyer, proof, index % 2))
        const changed = await change
        if (changed) trial.same('the new PIN', changed.status, 200)
        const late = await buy(shops, buyer, proof, 0)
        trial.same('one that comes later', late.body.code, 'PIN_REQUIRED')
        const placed = count(replies, ({ status }) => status === 200)
        if (changes ? placed > 1 : placed !== 1) trial.wrong(`${placed} of 6 purchases came about`)
        trial.same('orders', (await shops.books(buyer.id)).orders, placed)
      })
    },
  },
]
