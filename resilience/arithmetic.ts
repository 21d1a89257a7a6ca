import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { Tx } from '../server/platform/db.ts'
import { makeReference } from '../server/platform/reference.ts'
import { cardSurcharge, formatPesewas, toCedis, toPesewas, withCardSurcharge } from '../shared/money.ts'
import { offerVolumeMb } from '../shared/offers.ts'
import { pesewasIn } from '../shared/readers/read-amount.ts'
import { shuffle } from '../test/random.ts'
import type { Experiment } from './experiment.ts'

/** F. Arithmetic. */
export const arithmetic: Experiment[] = [
  {
    id: 'F1',
    expects: 'the surcharge of every price equals an exact rule in big integers; amounts survive the wire unchanged',
    runs: { fast: 2_000_000, full: 10_000_000 },
    async go(trial) {
      for (let price = 1; price <= trial.runs; price++) {
        // Half up: floor((price * 103 + 50) / 100).
        const exact = (BigInt(price) * 103n + 50n) / 100n
        if (BigInt(withCardSurcharge(price)) !== exact) trial.wrong(`${price} became ${withCardSurcharge(price)}, not ${exact}`)
        if (toPesewas(toCedis(price)) !== price) trial.wrong(`${price} does not survive the wire`)
      }
      trial.did(trial.runs)
    },
  },
  {
    id: 'F2',
    expects: 'for any cart, in any order of its items, the orders’ parts of the surcharge add up to what is charged',
    runs: { fast: 150, full: 3_000 },
    async go(trial) {
      const shops = await trial.shops()
      const buyer = await shops.makeUser({ pesewas: 1_000_000_000 })
      const tx = await shops.db.connect()
      try {
        // Nothing of it is committed: no card has paid for these orders.
        await tx.query('begin')
        await trial.repeat(async () => {
          const cart = Array.from({ length: 1 + Math.floor(trial.random() * 12) }, () => 1 + Math.floor(trial.random() * 100_000))
          const surcharge = cardSurcharge(cart.reduce((sum, price) => sum + price, 0))
          for (const prices of [cart, shuffle(cart, trial.random)]) {
            const shares = await buyByCard(tx, buyer.id, prices, surcharge)
            if (shares.length !== prices.length || shares.some((share) => share < 0)) trial.wrong(`${prices} has shares of ${shares}`)
            const shared = shares.reduce((sum, share) => sum + share, 0)
            if (shared !== surcharge) trial.wrong(`${prices}: ${shared}, not ${surcharge}`)
          }
        })
      } finally {
        await tx.query('rollback')
        tx.release()
      }
    },
  },
  {
    id: 'F3',
    expects: 'an amount printed and read again is the same; 1.005, 1,000, 1.0e3, ٥ are refused',
    runs: { fast: 500_000, full: 5_000_000 },
    async go(trial) {
      for (let pesewas = 0; pesewas < trial.runs; pesewas++)
        if (pesewasIn(formatPesewas(pesewas).replaceAll(',', '')) !== pesewas)
          trial.wrong(`${pesewas} was read as ${pesewasIn(formatPesewas(pesewas))}`)
      for (const text of ['1.005', '1,000', '1.0e3', '٥', '', '5.', '--5', '5²', '0x10', 'NaN', 'Infinity', '1 000', '1_000', '1e3'])
        if (pesewasIn(text) !== null) trial.wrong(`${text} was read as ${pesewasIn(text)}`)
      trial.did(trial.runs)
    },
  },
  {
    id: 'F4',
    expects: 'no parseFloat, no "* 1.03" and no toFixed in code that handles money (server, shared)',
    runs: { fast: 1, full: 1 },
    async go(trial) {
      const root = resolve(import.meta.dirname, '..')
      const files = ['server', 'shared'].flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile() && /\.ts$/.test(entry.name) && !/\.test\.ts$/.test(entry.name))
          .map((entry) => `${entry.parentPath}/${entry.name}`),
      )
      for (const file of files) {
        const found = /parseFloat|\*\s*1\.03|\.toFixed\(/.exec(readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''))
        if (found && !NOT_MONEY_OF_OURS.some((one) => file.endsWith(one))) trial.wrong(`${relative(root, file)} has ${found[0]}`)
        trial.did()
      }
    },
  },
  {
    id: 'F5',
    expects: 'sums near 2^53: read exactly, or refused loudly, never rounded',
    runs: { fast: 4, full: 4 },
    async go(trial) {
      const shops = await trial.shops()
      const max = BigInt(Number.MAX_SAFE_INTEGER)
      for (const [value, readable] of [
        [max, true],
        [-max, true],
        [max + 1n, false],
        [max * 100n, false],
      ] as const) {
        const read = await shops.db.query<{ value: number }>(`select ${value}::bigint as value`).then(
          ({ rows }) => BigInt(rows[0]?.value ?? 0),
          (error: unknown) => String(error),
        )
        if (readable ? read !== value : !String(read).includes('no safe integer')) trial.wrong(`${value} was read as ${read}`)
        trial.did()
      }
    },
  },
  {
    id: 'F6',
    expects: 'a supplier is sent 1500 for 1.5GB, 500 for 500MB, 1000 for 1 GB, and no order for an offer without a volume',
    runs: { fast: 17, full: 17 },
    async go(trial) {
      const expected: [string, number | null][] = [
        ['1.5GB', 1500],
        ['500MB', 500],
        ['1 GB', 1000],
        ['2gb', 2000],
        ['', null],
        ['GB', null],
        ['AFA registration', null],
        ['-1GB', null],
        ['0GB', null],
        ['NaNGB', null],
        ['1e3GB', null],
        ['1GB + 5GB', null],
        ['12000MB', 12_000],
        ['15000 MB', 15_000],
        ['10000MB', 10_000],
        ['1,5GB', null],
        ['2 x 1GB', null],
      ]
      for (const [offer, volume] of expected) {
        const found = offerVolumeMb(offer)
        if (!Object.is(found, volume)) trial.wrong(`${offer} became ${found}, not ${volume}`)
        trial.did()
      }
    },
  },
]

/** Places the orders of a card payment as the shop does, rolls back, and returns each order's part of the surcharge. */
async function buyByCard(tx: Tx, buyer: string, prices: number[], surcharge: number): Promise<number[]> {
  await tx.query('savepoint cart')
  const made = await tx.query<{ id: string }>(
    `insert into products (network, image_hash, status, created_at) select network, image_hash, 'available', now() from products limit 1 returning id`,
  )
  const product = made.rows[0]?.id
  await tx.query(
    `insert into packages (product_id, position, offer, price_customer_pesewas, price_agent_pesewas)
     select $1, line, 'offer ' || line, price, price from unnest($2::bigint[]) with ordinality as given (price, line)`,
    [product, prices],
  )
  const lines = prices.map((seen, index) => ({ product, offer: `offer ${index + 1}`, receiver: '0551234567', seen }))
  const { rows } = await tx.query<{ outcome: { orders?: { surcharge_pesewas: number }[] } }>(
    `select place_wallet_orders($1, $2, '\\x00', $3, now(), $2, $4) as outcome`,
    [buyer, makeReference(), JSON.stringify(lines), surcharge],
  )
  await tx.query('rollback to savepoint cart')
  return (rows[0]?.outcome.orders ?? []).map((order) => order.surcharge_pesewas)
}

/** Volumes in megabytes, and a supplier's own balance, which is shown but never posted. */
const NOT_MONEY_OF_OURS = [
  'shared/offers.ts',
  'integrations/supplier/hubnet.ts',
  'integrations/supplier/remadata.ts',
  'integrations/supplier/datamart.ts',
]
