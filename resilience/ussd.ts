import { PROTOCOLS } from '../sandbox/ussd/protocols.ts'
import type { Experiment, Trial } from './experiment.ts'
import { eachOf } from './measure.ts'
import { PASSWORD } from './shops.ts'

const PIN = '7392'
const REPEATS = 3
const MONEY = 100_000
/** One MTN 2GB. */
const PRICE = 1_050

/** U. Buying by USSD. */
export const ussd: Experiment[] = [
  {
    id: 'U1',
    expects: `a purchase by USSD whose requests come ${REPEATS} times each over 2 processes at once, also from a second session that went on with it, and late: one order, paid once`,
    runs: { fast: 10, full: 200 },
    async go(trial) {
      const shops = await trial.shops()
      const made = await shops.call('POST', '/admin/ussd/address', { as: shops.admins[0], body: {} })
      const path = new URL(String(made.body.address)).pathname.replace(/^\/api/, '')
      await trial.repeat(async (run) => {
        const gateway = (['arkesel', 'hubtel', 'nalo'] as const)[run % 3] as 'arkesel'
        await shops.call('PUT', '/admin/ussd', { as: shops.admins[0], body: { gateway } })
        const { asRequest, readReply } = PROTOCOLS[gateway]
        const buyer = await shops.makeUser({ pesewas: MONEY })
        await shops.call('POST', '/user/me/pin', { as: buyer, body: { password: PASSWORD, pin: PIN, atCheckout: false } })
        const dial = () => {
          const session = crypto.randomUUID()
          let turn = 0
          return async (text: string, isLate = false) => {
            if (!isLate) turn += 1
            const body = asRequest({ session, phone: buyer.phone, text, turn, kind: turn === 1 ? 'first' : 'next' })
            const replies = await eachOf(Array.from({ length: REPEATS }), REPEATS, () =>
              shops.call('POST', path, { body, shop: Math.floor(trial.random() * 2) }),
            )
            return replies.map(({ body: reply }) => readReply(reply as Record<string, unknown>)?.message ?? JSON.stringify(reply))
          }
        }
        const [first, second] = [dial(), dial()]
        await first('*928#')
        expectSame(trial, 'the packages', await first('1'))
        expectSame(trial, 'the price', await first('2'))
        await second('*928#')
        expectSame(trial, 'the price in the second session', await second('1'))
        const said = (await Promise.all([first(PIN), second(PIN)])).flat()
        trial.same(
          'replies that are no thanks',
          said.filter((text) => !text.startsWith('Thank you!')),
          [],
        )
        expectSame(trial, 'a late one', [...(await first(PIN, true)), said[0] as string])
        const { pesewas, orders } = await shops.books(buyer.id)
        trial.same('orders, and what is left', [orders, pesewas], [1, MONEY - PRICE])
      })
      trial.same('what the books say', await shops.prove(), [])
    },
  },
]

function expectSame(trial: Trial, what: string, texts: string[]) {
  trial.same(`${what}: different replies`, new Set(texts).size, 1)
}
