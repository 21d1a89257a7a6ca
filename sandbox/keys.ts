import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import * as z from 'zod'
import { keepFile, type Warn } from './keep-file.ts'

const cardKeys = z.object({ secretKey: z.string().startsWith('sk_test_'), publicKey: z.string().startsWith('pk_test_') })
export type CardKeys = z.output<typeof cardKeys>

/** The keys of this installation, made up on its first start, so that no two share one and none stands in the code. */
export async function readOrMakeCardKeys(folder: string, log: Warn): Promise<CardKeys> {
  let keys: CardKeys = { secretKey: `sk_test_${randomBytes(20).toString('hex')}`, publicKey: `pk_test_${randomBytes(20).toString('hex')}` }
  const file = keepFile(join(folder, 'card-keys.json'), cardKeys, () => keys, log)
  const kept = await file.read()
  if (kept) keys = kept
  else await file.save()
  return keys
}
