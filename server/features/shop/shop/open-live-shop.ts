import { USUAL_BRAND } from '../../../../shared/brands.ts'
import { AGENT_UPGRADE_FEE_PESEWAS, toCedis } from '../../../../shared/money.ts'
import type { Shop } from '../../../../shared/shop.ts'
import type { Db } from '../../../platform/db.ts'
import { readWorkHours } from '../../../platform/work-hours.ts'
import { imageAddress } from '../images/encode-image.ts'
import { type ProfileRow, selectProfile } from './shop.sql.ts'

/** The shop as it is now. */
export type LiveShop = {
  shop: Shop
  /** What the owner has set over the environment's values, in full. */
  profileOf(row: ProfileRow): Required<Pick<Shop, 'name' | 'tagline' | 'phone' | 'email' | 'whatsapp' | 'workHours'>>
  /** Takes over what is stored. */
  refresh(): Promise<void>
}

/**
 * Keeps `shop` as the owner has it on the screen: pages, mails and messages all read this one object. What the owner has not set
 * stays as the environment says.
 */
export function openLiveShop(db: Db, shop: Shop): LiveShop {
  const first = { ...shop }
  const profileOf = (row: ProfileRow) => ({
    name: row.name ?? first.name,
    tagline: row.tagline ?? first.tagline,
    phone: row.phone ?? first.phone,
    email: row.email ?? first.email,
    whatsapp: row.whatsapp ?? first.whatsapp,
    workHours: row.workHours ?? first.workHours,
  })
  return {
    shop,
    profileOf,
    async refresh() {
      const row = await selectProfile(db)
      const profile = profileOf(row)
      Object.assign(shop, profile, {
        slug: row.name === null ? first.slug : slugOf(row.name, first.slug),
        hours: readWorkHours(profile.workHours),
      })
      const agentFee = toCedis(row.agentFeePesewas ?? AGENT_UPGRADE_FEE_PESEWAS)
      setOrDelete(shop, 'agentFee', agentFee === toCedis(AGENT_UPGRADE_FEE_PESEWAS) ? undefined : agentFee)
      setOrDelete(shop, 'logo', row.logoHash === null ? undefined : imageAddress(row.logoHash))
      setOrDelete(shop, 'icon', row.iconHash === null ? undefined : imageAddress(row.iconHash))
      setOrDelete(shop, 'brand', row.brand === null || row.brand === USUAL_BRAND ? undefined : row.brand)
    },
  }
}

/** What is as usual is left out, since every page carries the shop's details. */
function setOrDelete<K extends 'logo' | 'icon' | 'brand' | 'agentFee'>(shop: Shop, key: K, value: Shop[K]) {
  if (value === undefined) delete shop[key]
  else shop[key] = value
}

/** The beginning of exported files' names: the shop's name in small letters, digits and dashes. */
function slugOf(name: string, otherwise: string): string {
  const slug = name
    .normalize('NFD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 31)
    .replace(/^-|-$/g, '')
  return slug || otherwise
}
