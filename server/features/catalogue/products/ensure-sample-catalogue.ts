import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Network } from '../../../../shared/networks.ts'
import type { Db } from '../../../platform/db.ts'
import { transaction } from '../../../platform/db.ts'
import { insertImage } from '../../shop/images/images.sql.ts'
import { insertProduct } from './products.sql.ts'

/** Advisory lock: two processes that start together must not both fill the catalogue. */
const SAMPLE_LOCK = 0x64776170

/** Offers as [name, agent's price, customer's price] in pesewas, within the ranges seen in Ghana's shops in 2025 and 2026. */
const SAMPLE: { network: Network; image: string; offers: [string, number, number][] }[] = [
  {
    network: 'MTN',
    image: 'mtn',
    offers: [
      ['1GB', 470, 550],
      ['2GB', 930, 1050],
      ['3GB', 1380, 1550],
      ['4GB', 1830, 2050],
      ['5GB', 2280, 2550],
      ['6GB', 2680, 3000],
      ['8GB', 3550, 3950],
      ['10GB', 4400, 4800],
      ['15GB', 6300, 6800],
      ['20GB', 8300, 8900],
      ['25GB', 10400, 11100],
      ['30GB', 12600, 13400],
      ['40GB', 16600, 17500],
      ['50GB', 20600, 21600],
      ['100GB', 41200, 42800],
    ],
  },
  {
    network: 'AirtelTigo',
    image: 'airteltigo',
    offers: [
      ['1GB', 440, 500],
      ['2GB', 890, 1000],
      ['3GB', 1360, 1500],
      ['4GB', 1750, 1950],
      ['5GB', 2100, 2350],
      ['6GB', 2500, 2800],
      ['8GB', 3250, 3600],
      ['10GB', 4100, 4500],
      ['15GB', 6000, 6500],
      ['25GB', 9800, 10500],
      ['30GB', 11800, 12600],
      ['50GB', 19500, 20600],
    ],
  },
  {
    network: 'Telecel',
    image: 'telecel',
    offers: [
      ['5GB', 2150, 2450],
      ['10GB', 3900, 4350],
      ['15GB', 5600, 6200],
      ['20GB', 7350, 8100],
      ['25GB', 9100, 9900],
      ['30GB', 10800, 11700],
      ['40GB', 14300, 15300],
      ['50GB', 17800, 19000],
      ['100GB', 35000, 37000],
    ],
  },
  {
    network: 'Airtime',
    image: 'airtime',
    offers: [
      ['MTN GHS 1', 100, 100],
      ['MTN GHS 5', 500, 500],
      ['MTN GHS 10', 1000, 1000],
      ['MTN GHS 20', 2000, 2000],
      ['Telecel GHS 5', 500, 500],
      ['Telecel GHS 10', 1000, 1000],
      ['AirtelTigo GHS 5', 500, 500],
      ['AirtelTigo GHS 10', 1000, 1000],
    ],
  },
  { network: 'AFA', image: 'afa', offers: [['AFA registration', 1300, 2000]] },
  {
    network: 'WAEC Checkers',
    image: 'waec-checkers',
    offers: [
      ['BECE', 1650, 1900],
      ['WASSCE', 1800, 2100],
    ],
  },
  {
    network: 'MTN PULSE',
    image: 'mtn-pulse',
    offers: [
      ['MashUp GHS 5', 500, 550],
      ['MashUp GHS 10', 1000, 1080],
    ],
  },
]

/** Adds the sample catalogue if there has never been a product. Returns whether it did. */
export async function ensureSampleCatalogue(db: Db, now: Date): Promise<boolean> {
  return transaction(db, async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [SAMPLE_LOCK])
    // The sequence tells a catalogue that never had products from one that the owner emptied.
    const { rows } = await tx.query<{ filled: boolean }>(
      `select exists (select 1 from products) or coalesce(pg_sequence_last_value(pg_get_serial_sequence('products', 'seq')), 0) > 0 as filled`,
    )
    if (rows[0]?.filled) return false
    for (const { network, image, offers } of SAMPLE) {
      // As `encodeImage` has made them: to encode them again would take longer than all else here.
      const bytes = await readFile(new URL(`../../../../db/sample/images/${image}.webp`, import.meta.url))
      const imageHash = createHash('sha256').update(bytes).digest('hex')
      await insertImage(tx, { hash: imageHash, contentType: 'image/webp', bytes, now })
      const packages = offers.map(([offer, priceAgentPesewas, priceCustomerPesewas]) => ({
        offer,
        priceAgentPesewas,
        priceCustomerPesewas,
      }))
      await insertProduct(tx, { network, imageHash, status: 'available', packages }, now)
    }
    return true
  })
}
