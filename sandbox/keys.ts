import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import * as z from 'zod'
import { keepFile, type Warn } from './keep-file.ts'

const cardKeys = z.object({ secretKey: z.string().startsWith('sk_test_'), publicKey: z.string().startsWith('pk_test_') })
export type CardKeys = z.output<typeof cardKeys>

const serviceKeys = z.object({
  hubnet: z.string(),
  remadata: z.string(),
  datamart: z.string().optional(),
  reloadly: z.string().optional(),
  arkesel: z.string(),
  mnotify: z.string(),
  ussd: z.string().optional(),
  whatsapp: z.string().optional(),
})
export type ServiceKeys = Record<keyof z.output<typeof serviceKeys>, string>

/** The keys of this installation, made up on its first start, so that no two share one and none stands in the code. */
export async function readOrMakeCardKeys(folder: string, log: Warn): Promise<CardKeys> {
  return readOrMake(join(folder, 'card-keys.json'), cardKeys, log, {
    secretKey: `sk_test_${randomBytes(20).toString('hex')}`,
    publicKey: `pk_test_${randomBytes(20).toString('hex')}`,
  })
}

/** The same for the data suppliers, the SMS services and WhatsApp. */
export async function readOrMakeServiceKeys(folder: string, log: Warn): Promise<ServiceKeys> {
  const made = () => randomBytes(20).toString('hex')
  const datamart = made()
  const reloadly = made()
  const ussd = made()
  const whatsapp = made()
  const kept = await readOrMake(join(folder, 'service-keys.json'), serviceKeys, log, {
    hubnet: made(),
    remadata: made(),
    datamart,
    reloadly,
    arkesel: made(),
    mnotify: made(),
    ussd,
    whatsapp,
  })
  // A file of a version before names none of these: nobody else has to know them, so they may change with each start.
  return {
    ...kept,
    datamart: kept.datamart ?? datamart,
    reloadly: kept.reloadly ?? reloadly,
    ussd: kept.ussd ?? ussd,
    whatsapp: kept.whatsapp ?? whatsapp,
  }
}

async function readOrMake<T>(path: string, schema: z.ZodType<T>, log: Warn, made: T): Promise<T> {
  const file = keepFile(path, schema, () => made, log)
  const kept = await file.read()
  if (kept === null) await file.save()
  return kept ?? made
}
