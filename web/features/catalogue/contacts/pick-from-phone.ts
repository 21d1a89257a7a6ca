import { isMobilePhone, normalisePhone } from '../../../../shared/phones.ts'

type Picked = { name?: string[]; tel?: string[] }
type ContactPicker = { select: (properties: ('name' | 'tel')[]) => Promise<Picked[]> }

/** True where the browser can show the phone's own contacts. */
export function canPickFromPhone(): boolean {
  return 'contacts' in navigator && 'ContactsManager' in window
}

/** The contact that the customer picks: null for none, an empty number where it has no Ghanaian mobile number. */
export async function pickFromPhone(): Promise<{ phoneNumber: string; name: string } | null> {
  const { contacts } = navigator as Navigator & { contacts?: ContactPicker }
  // Whoever closes the phone's own list has changed their mind.
  const [picked] = (await contacts?.select(['name', 'tel']).catch(() => [])) ?? []
  if (!picked) return null
  const phoneNumber = picked.tel?.map(normalisePhone).find(isMobilePhone) ?? ''
  return { phoneNumber, name: picked.name?.[0]?.trim().slice(0, 40) ?? '' }
}
