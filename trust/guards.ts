import { cp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Db } from '../server/platform/db.ts'
import { runExperiment } from './experiment.ts'
import { EXPERIMENTS } from './experiments.ts'
import { makeFolder } from './leftovers.ts'
import { updateGuards } from './page.ts'
import { openShops } from './shops.ts'

// An experiment counts only if it fails on a broken build: this takes each guard out once, in a database or a copy of
// its own, and shows that the experiment sees it. `node trust/guards.ts`.
type Guard = {
  experiment: string
  runs: number
  removed: string
  /** What is taken out of the database. */
  fromDatabase?: (db: Db) => Promise<void>
  /** What is taken out of the program: the file, what stands there, what takes its place. */
  fromProgram?: [file: string, was: string, becomes: string][]
}

const GUARDS: Guard[] = [
  {
    experiment: 'A1',
    runs: 10,
    removed: "the wallet's lock (`for update`), while the CHECK still holds",
    fromDatabase: (db) => editFunction(db, 'place_wallet_orders', [['where user_id = p_user for update', 'where user_id = p_user']]),
  },
  {
    experiment: 'A1',
    runs: 10,
    removed: 'the lock and the CHECK (balance ≥ 0)',
    fromDatabase: async (db) => {
      await editFunction(db, 'place_wallet_orders', [['where user_id = p_user for update', 'where user_id = p_user']])
      await db.query('alter table wallets drop constraint wallet_not_below_zero')
      await db.query('alter table postings drop constraint postings_balance_after_pesewas_check')
    },
  },
  {
    experiment: 'A2',
    runs: 10,
    removed: 'the check of the idempotency key',
    fromDatabase: async (db) => {
      await editFunction(db, 'place_wallet_orders', [
        ['where user_id = p_user and key = p_key', 'where user_id = p_user and key = p_key and false'],
        [
          'values (p_user, p_key, p_request_hash, result, p_now)',
          'values (p_user, p_key, p_request_hash, result, p_now) on conflict do nothing',
        ],
      ])
    },
  },
  {
    experiment: 'B4',
    runs: 20,
    removed: 'the check of the idempotency key',
    fromDatabase: async (db) => {
      await editFunction(db, 'place_wallet_orders', [
        ['where user_id = p_user and key = p_key', 'where user_id = p_user and key = p_key and false'],
        [
          'values (p_user, p_key, p_request_hash, result, p_now)',
          'values (p_user, p_key, p_request_hash, result, p_now) on conflict do nothing',
        ],
      ])
    },
  },
  {
    experiment: 'A4',
    runs: 10,
    removed: 'the lock, with carts of five',
    fromDatabase: (db) => editFunction(db, 'place_wallet_orders', [['where user_id = p_user for update', 'where user_id = p_user']]),
  },
  {
    experiment: 'A9',
    runs: 80,
    removed: 'the lock on the order, the trigger against a second decision and the one refund per order',
    fromDatabase: async (db) => {
      await db.query('drop trigger orders_decided_once on orders')
      await db.query('alter table journal_entries drop constraint journal_entries_key_key cascade')
      await editFunction(db, 'post_entry', [['on conflict (key) do nothing', '']])
    },
    fromProgram: [['server/features/orders/orders.sql.ts', 'for update of o', '']],
  },
  {
    experiment: 'C2',
    runs: 1,
    removed: 'the comparison with the price that the buyer saw',
    fromDatabase: (db) => editFunction(db, 'place_wallet_orders', [['if price <> item.seen then', 'if false then']]),
  },
  {
    experiment: 'C6',
    runs: 20,
    removed: 'the refusal of the whole cart for one bad item',
    fromDatabase: (db) => editFunction(db, 'place_wallet_orders', [["if refused <> '[]' then", 'if false then']]),
  },
  {
    experiment: 'E4',
    runs: 100,
    removed: 'the signature of notices (unsigned ones accepted)',
    fromProgram: [
      [
        'server/integrations/payments/paystack.ts',
        'if (!isSigned(rawBody, signature, secrets)) return null',
        'void isSigned(rawBody, signature, secrets)',
      ],
    ],
  },
  {
    experiment: 'E5',
    runs: 1,
    removed: 'the signature of notices',
    fromProgram: [
      [
        'server/integrations/payments/paystack.ts',
        'if (!isSigned(rawBody, signature, secrets)) return null',
        'void isSigned(rawBody, signature, secrets)',
      ],
    ],
  },
  {
    experiment: 'E10',
    runs: 2,
    removed: 'the comparison of amount, currency and world',
    fromProgram: [
      ['server/features/payments/settle-payment.ts', 'if (paid.isTest !== desk.isTest)', 'if (false as boolean)'],
      ['server/features/payments/settle-payment.ts', "if (paid.currency !== 'GHS')", 'if (false as boolean)'],
      ['server/features/payments/settle-payment.ts', 'if (paid.amountPesewas < due)', 'if (false as boolean)'],
    ],
  },
  {
    experiment: 'H1',
    runs: 1,
    removed: 'the question who is an admin',
    fromProgram: [
      ['server/platform/http/access.ts', "if (access === 'admin' && request.actor.level !== 'Admin') throw new Forbidden()", ''],
    ],
  },
  {
    experiment: 'H2',
    runs: 3,
    removed: 'whose orders and recharges a list is of',
    fromProgram: [
      [
        'server/features/recharges/routes.ts',
        "const userId = actor.level === 'Admin' ? null : actor.id",
        'const userId = actor === null ? actor : null',
      ],
    ],
  },
  {
    experiment: 'Q1',
    runs: 5,
    removed: 'the check of the idempotency key, against the model',
    fromDatabase: (db) =>
      editFunction(db, 'place_wallet_orders', [
        ['where user_id = p_user and key = p_key', 'where user_id = p_user and key = p_key and false'],
        [
          'values (p_user, p_key, p_request_hash, result, p_now)',
          'values (p_user, p_key, p_request_hash, result, p_now) on conflict do nothing',
        ],
      ]),
  },
  {
    experiment: 'Q2',
    runs: 5,
    removed: 'the lock and the CHECK, against the model',
    fromDatabase: async (db) => {
      await editFunction(db, 'place_wallet_orders', [['where user_id = p_user for update', 'where user_id = p_user']])
      await db.query('alter table wallets drop constraint wallet_not_below_zero')
      await db.query('alter table postings drop constraint postings_balance_after_pesewas_check')
    },
  },
  {
    experiment: 'J4',
    runs: 1,
    removed: "`frame-ancestors 'none'`",
    fromProgram: [['server/app.ts', `frameAncestors: ["'none'"],`, `frameAncestors: ["'self'"],`]],
  },
]

const ROOT = resolve(import.meta.dirname, '..')
const lines: string[] = []
for (const { experiment: id, runs, removed, fromDatabase, fromProgram } of GUARDS) {
  const experiment = EXPERIMENTS.find((one) => one.id === id)
  if (!experiment) throw new Error(`there is no experiment ${id}`)
  const copy = fromProgram ? await copyProgram(fromProgram) : null
  const options = { ...(copy ? { script: join(copy, 'server/main.ts') } : {}), ...(fromDatabase ? { spoil: fromDatabase } : {}) }
  const opened = openShops(options)
  const shops = await opened
  try {
    const result = await runExperiment(experiment, {
      tier: 'fast',
      seed: 1,
      runs,
      shops: () => opened,
      opening: options,
      progress: () => {},
    })
    const books = await shops.prove()
    const seen = result.violations.length
    lines.push(
      `| ${id} | ${removed} | ${seen === 0 ? '**nothing was seen**' : `wrong ${Math.min(seen, result.runs)} of ${result.runs}`} | ${(result.violations[0] ?? '').replaceAll('|', '\\|').replaceAll('\n', ' ').slice(0, 160)} | ${books.length} |`,
    )
    console.log(lines.at(-1))
  } finally {
    await shops.close()
    if (copy) await rm(copy, { recursive: true, force: true })
  }
}
updateGuards(lines)
process.exitCode = lines.some((line) => line.includes('nothing was seen')) ? 1 : 0

async function editFunction(db: Db, name: string, edits: [string, string][]) {
  const { rows } = await db.query<{ source: string }>('select pg_get_functiondef(oid) as source from pg_proc where proname = $1', [name])
  let source = rows[0]?.source as string
  for (const [was, becomes] of edits) {
    if (!source.includes(was)) throw new Error(`${name} has no “${was}”`)
    source = source.replace(was, becomes)
  }
  await db.query(source)
}

async function copyProgram(edits: [string, string, string][]): Promise<string> {
  const copy = makeFolder('unguarded')
  for (const folder of ['server', 'shared', 'sandbox', 'db', 'package.json'])
    await cp(join(ROOT, folder), join(copy, folder), { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  for (const [file, was, becomes] of edits) {
    const text = await readFile(join(copy, file), 'utf8')
    if (!text.includes(was)) throw new Error(`${file} has no “${was}”`)
    await writeFile(join(copy, file), text.replace(was, becomes))
  }
  return copy
}
