import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../server/platform/embedded-postgres.ts'
import { createLog } from '../../server/platform/log.ts'
import { callAt } from '../http-client.ts'
import { type Program, runProgram } from './run-program.ts'

const ADMIN = { phone: '0200000000', password: 'a good password' }

export type OpenShop = { address: string; program: Program }

/** A database for processes to share: `DATABASE_URL` where it is given, else a PostgreSQL that lives as long as this needs it. */
export async function openSharedDatabase(given = process.env.DATABASE_URL): Promise<{ url: string; close(): Promise<void> }> {
  if (given) return { url: given, close: async () => {} }
  const dataDir = await mkdtemp(join(tmpdir(), 'dwadi-shared-'))
  const postgres = await startEmbeddedPostgres({ dataDir, log: createLog('error') })
  return {
    url: postgres.url(),
    async close() {
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Starts the shop's own process on a free port and waits until it is open. */
export async function openShop(env: Record<string, string>): Promise<OpenShop> {
  const program = runProgram('server/main.ts', {
    PORT: '0',
    LOG_LEVEL: 'error',
    RATE_LIMITS: 'off',
    ADMIN_PHONE: ADMIN.phone,
    ADMIN_PASSWORD: ADMIN.password,
    ...env,
  })
  const [, address = ''] = await program.prints(/is open at (http\S+)/, 60_000)
  return { address: address.replace('localhost', '127.0.0.1'), program }
}

/** Ends a shop as an operator would; throws when it did not end well, with what it printed. */
export async function closeShop({ program }: OpenShop) {
  program.process.kill('SIGTERM')
  const code = await program.ended()
  if (code !== 0) throw new Error(`the shop ended with ${code}:\n${program.output()}`)
}

/** One JSON call to an open shop; throws unless it succeeds. */
export async function ask<T>(
  shop: OpenShop,
  method: string,
  path: string,
  { token, body, headers }: { token?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<T> {
  const reply = await callAt<T>(shop.address, method, path, {
    as: token === undefined ? undefined : { token },
    body,
    ...(headers && { headers }),
  })
  if (reply.status < 200 || reply.status > 299) throw new Error(`${method} ${path} replied ${reply.status}: ${reply.text}`)
  return reply.body
}

/** Signs in as the first admin, whom `openShop` has named. */
export async function signInAsAdmin(shop: OpenShop): Promise<string> {
  const { token } = await ask<{ token: string }>(shop, 'POST', '/user/login', {
    body: { userPhone: ADMIN.phone, password: ADMIN.password },
  })
  return token
}

/** Registers a customer and has the admin put `balance` cedis into the wallet. */
export async function openAccount(
  shop: OpenShop,
  { adminToken, balance }: { adminToken: string; balance: number },
): Promise<{ id: string; token: string }> {
  // Letters alone: a username may neither look like a number nor like another one in which a digit stands for a letter.
  const name = crypto
    .randomUUID()
    .slice(0, 18)
    .replace(/\d/g, (digit) => 'ghjkmnpqrt'[Number(digit)] as string)
  const { _id: id, token } = await ask<{ _id: string; token: string }>(shop, 'POST', '/user/register', {
    body: {
      username: `racer ${name}`,
      email: `${name}@example.com`,
      phone: `054${crypto.getRandomValues(new Uint32Array(1))[0]!.toString().padStart(10, '0').slice(-7)}`,
      password: 'a good password',
    },
  })
  await ask(shop, 'PUT', '/user/balance', { token: adminToken, body: { chosenId: id, amount: balance } })
  return { id, token }
}
