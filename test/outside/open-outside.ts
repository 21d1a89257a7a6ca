import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DataSupplierSimulator, startDataSupplier } from '../../sandbox/data-supplier.ts'
import { type SmsServices, startSmsServices } from '../../sandbox/sms-services.ts'
import { hubnet } from '../../sandbox/supplier/hubnet.ts'
import { type Db, openPool } from '../../server/platform/db.ts'
import { createLog } from '../../server/platform/log.ts'
import type { Product } from '../../shared/products.ts'
import { ask, type OpenShop, openAccount, openShop, signInAsAdmin } from '../process/open-shops.ts'

export type Outside = {
  db: Db
  supplier: DataSupplierSimulator
  sms: SmsServices
  openShop(): Promise<OpenShop>
  /** Buys so many AirtelTigo bundles for one number in one cart, and gives their ids and references. */
  buy(shop: OpenShop, orders: number, phoneNumber: string): Promise<{ _id: string; reference: string }[]>
  close(): Promise<void>
}

const KEY = 'the key of a test'

/** The world outside in this process, for shops in processes of their own, which may die. */
export async function openOutside(databaseUrl: string, { deliversAfterMs }: { deliversAfterMs: number | null }): Promise<Outside> {
  const log = createLog('silent')
  const folder = await mkdtemp(join(tmpdir(), 'dwadi-outside-'))
  const supplier = await startDataSupplier({
    protocol: hubnet,
    folder,
    key: KEY,
    log,
    wanted: { callsPerMinute: null, refusesDuplicates: false, deliversAfterMs, balancePesewas: 100_000_00 },
  })
  const sms = await startSmsServices({ arkeselKey: KEY, mnotifyKey: KEY })
  const db = openPool({ url: databaseUrl, size: 5, log, name: 'dwadi-test-outside' })
  const buyers = new Map<OpenShop, { token: string; line: object }>()

  async function openBuyer(shop: OpenShop) {
    const adminToken = await signInAsAdmin(shop)
    const { token } = await openAccount(shop, { adminToken, balance: 10_000 })
    const products = await ask<Product[]>(shop, 'GET', '/product')
    const { _id: productId, packages } = products.find(({ network }) => network === 'AirtelTigo') as Product
    const { offer, priceCustomer: amount } = packages[0] as Product['packages'][number]
    return { token, line: { productId, offer, amount } }
  }

  return {
    db,
    supplier,
    sms,
    openShop: () =>
      openShop({
        DATABASE_URL: databaseUrl,
        DATABASE_POOL_SIZE: '10',
        JOB_TIMINGS: 'quick',
        SUPPLIER_HUBNET_KEY: KEY,
        SUPPLIER_HUBNET_BASE_URL: supplier.baseUrl,
        SUPPLIER_CALLS_PER_MINUTE: '100000',
        SMS_ARKESEL_KEY: KEY,
        SMS_ARKESEL_BASE_URL: sms.arkesel.baseUrl,
      }),
    async buy(shop, orders, phoneNumber) {
      const { token, line } = buyers.get(shop) ?? (await openBuyer(shop))
      buyers.set(shop, { token, line })
      const { orders: bought } = await ask<{ orders: { _id: string; reference: string }[] }>(shop, 'POST', '/order/checkout', {
        token,
        body: { items: Array.from({ length: orders }, () => ({ ...line, phoneNumber })) },
        headers: { 'idempotency-key': crypto.randomUUID() },
      })
      return bought
    },
    async close() {
      await db.end()
      await Promise.all([supplier.close(), sms.close()])
      await rm(folder, { recursive: true, force: true })
    },
  }
}
